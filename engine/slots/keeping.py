"""What a change does not name stays: a new time keeps the day, a new day keeps the time."""

from __future__ import annotations

from dataclasses import replace

from engine.catalogue.facts import ToolFacts
from engine.dates import DateMatch
from engine.decision import Slot
from engine.policy.values import Policy
from engine.slots.titles import date_spans, inside
from engine.text.normalise import Utterance
from engine.values import Task

_WAKING = range(7, 19)
_NIGHT = range(7)
_BY_DAY, _LATE = range(7, 18), 22
_NEAR = 120


def keep_rest(
    slots: tuple[Slot, ...], dates: tuple[DateMatch, ...], task: object, facts: ToolFacts
) -> tuple[Slot, ...]:
    argument = facts.argument("date")
    return tuple(replace(slot, value=_join(slot, dates, task)) if slot.name == argument else slot for slot in slots)


def _join(slot: Slot, dates: tuple[DateMatch, ...], task: object) -> str | int:
    match = next((each for each in dates if each.span == slot.span), None)
    return join_dates(match, task) if match else slot.value


def join_dates(date: DateMatch, task: object) -> str:
    return join_due(date, task.due_date if isinstance(task, Task) else None)


def join_due(date: DateMatch, due: str | None) -> str:
    if due and not date.has_day and "T" in date.value:
        return due[:10] + _nearest_time(date, due)
    if due and date.has_day and "T" not in date.value and "T" in due:
        return date.value + due[10:]
    timed = due is not None and "T" in due and not date.approximate
    if due and timed and "T" in date.value:
        return _in_its_half(date, due)
    return date.value


def _in_its_half(date: DateMatch, due: str) -> str:
    """ "to Wednesday, still at 6", "at quarter to seven on Friday", of something that is at half six in the morning."""
    hours = [each for each in (date.value, *date.alternatives) if each[:10] == date.value[:10] and "T" in each]
    near = [each for each in hours if abs(_minutes(each[10:]) - _minutes(due[10:])) <= _NEAR]
    return near[0] if near else date.value


def _nearest_time(date: DateMatch, due: str) -> str:
    """Of "half seven" in the morning and in the evening, the one nearer to the time that the task has; where it has
    none, the usual one: that it is past nine now says nothing about Friday."""
    times = [value[10:] for value in (date.value, *date.alternatives) if "T" in value]
    if "T" not in due:
        usual = [time for time in times if int(time[1:3]) in _WAKING]
        return times[0] if due == date.value[:10] else (usual or times)[0]
    near = [time for time in times if abs(_minutes(time) - _minutes(due[10:])) <= _NEAR]
    if int(due[11:13]) in _BY_DAY and not near:
        times = [time for time in times if int(time[1:3]) < _LATE] or times  # "for 10, not 17": in the morning
    if int(due[11:13]) not in _NIGHT and not near:
        times = [time for time in times if int(time[1:3]) not in _NIGHT] or times  # "at 4", of a morning's dentist
    return min(dict.fromkeys(times), key=lambda time: abs(_minutes(time) - _minutes(due[10:])))


def _minutes(time: str) -> int:
    return int(time[1:3]) * 60 + int(time[4:6])


def says_only_when(utterance: Utterance, dates: tuple[DateMatch, ...], policy: Policy) -> bool:
    """ "to Thursday then, same time please": beside the date nothing but courtesy, and that the time stays."""
    spans, words, place = date_spans(dates, utterance), utterance.words, 0
    while place < len(words):
        found = [length for name, length in policy.lexicon.classes(words, place) if name in _BESIDE_WHEN]
        if not (found or inside(utterance.tokens[place], spans)):
            return False
        place += max(found, default=1)
    return True


_BESIDE_WHEN = frozenset({"cue_same_moment", "answer_lead", "opener", "closer", "interjection", "small_word"})
