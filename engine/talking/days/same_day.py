""" "the same day", "that day": a date that only the conversation knows."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from datetime import date as date_type
from datetime import timedelta

from engine.dates import DateMatch, find_dates, find_shift
from engine.decision import Context
from engine.policy.values import Policy
from engine.reading.read import Reading
from engine.talking.days.gone_on_with import by_day, on_day_gone_on_with
from engine.talking.days.told_before_request import on_day_told_before
from engine.talking.days.told_from_last import date_told_from_last, may_tell_from_last
from engine.talking.names.mentions import find_mentioned
from engine.talking.situation import TalkSituation
from engine.text.normalise import Utterance
from engine.values import Span

_MOMENT = "cue_same_moment"
_THEN = "cue_then"
_CLASSES = {_MOMENT: 0, "cue_same_day": 0, _THEN: 0, "cue_day_before": -1, "cue_day_after": 1}
"""By what is said, the days from the one that was spoken of."""
_NEAR = 2
"""Words between "the same day" and the name: "as the"."""
_ISO_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d)?")


def with_same_day(
    dates: tuple[DateMatch, ...], utterance: Utterance, reading: Reading, situation: TalkSituation, context: Context,
    policy: Policy,
) -> tuple[DateMatch, ...]:  # fmt: skip
    """The dates of a message, with the day that it points at where it names none."""
    words = reading.scene.words
    told = _told_from_last(dates, utterance, reading, situation, context, policy)
    told = told or _told_before(dates, utterance, reading, policy)
    if told or any(date.has_day for date in dates):
        return told or _with_same_time(dates, utterance, reading, situation, context, policy)
    last = _day_spoken_of(situation, context, policy) if dates and situation.calls else None
    gone_on = on_day_gone_on_with(dates, reading, situation, last, policy)
    if gone_on is not dates or policy.lexicon.names(words).isdisjoint(_CLASSES):  # nearly always
        return gone_on
    return _with_pointed(dates, utterance, reading, situation, context, policy)


def _with_pointed(
    dates: tuple[DateMatch, ...], utterance: Utterance, reading: Reading, situation: TalkSituation, context: Context,
    policy: Policy,
) -> tuple[DateMatch, ...]:  # fmt: skip
    """With the day that words like "the same day" stand for."""
    words = reading.scene.words
    for place in range(len(words)):
        for name, days in _CLASSES.items():
            ends = list(policy.lexicon.ends(name, words, place))
            if not ends:
                continue
            shift = find_shift(utterance.text, policy.date_words)
            if shift and (abs(shift.days) > 1 or shift.months or (name == _MOMENT and shift.days)):
                return dates  # "to the week after, same day", "a day later, same time"
            own = None if name == _THEN else _own_due(place, utterance, reading, context, policy)
            if own and days == 0 and dates:
                return dates  # only a time is new: the day that it has stays by itself
            due, end = _due_of_named(max(ends), utterance, words, context, policy) or (
                own or _day_spoken_of(situation, context, policy),
                max(ends),
            )
            if due:
                span = utterance.span(place, _after_name(end, words, policy))
                hour = next((each for each in dates if "T" in each.value), None)
                soon = due[:10] == context.now.date().isoformat()
                time = (hour.value[10:] if soon else by_day(hour, policy)) if hour else ""
                if name == _MOMENT:
                    time = due[10:]
                day = (date_type.fromisoformat(due[:10]) + timedelta(days)).isoformat()
                pointed = DateMatch(span, day + time, utterance.slice(span), f"{day}, as said before", has_day=True)
                hours = tuple(replace(date, value=day + time) for date in dates if not _overlap(date.span, span))
                return tuple(sorted((pointed, *hours), key=lambda date: date.span.start))
    return dates


def _told_before(
    dates: tuple[DateMatch, ...], utterance: Utterance, reading: Reading, policy: Policy
) -> tuple[DateMatch, ...] | None:
    found = on_day_told_before(dates, utterance, reading, {_MOMENT: True, "cue_same_day": False}, policy)
    return None if found is dates else found


def _told_from_last(
    dates: tuple[DateMatch, ...], utterance: Utterance, reading: Reading, situation: TalkSituation, context: Context,
    policy: Policy,
) -> tuple[DateMatch, ...] | None:  # fmt: skip
    """ "the Saturday after": which day was spoken of last is looked for only where the words may mean it."""
    spoken = context.history or context.pending or len(dates) > 1
    if not spoken or not may_tell_from_last(dates, utterance, policy):
        return None
    return date_told_from_last(dates, utterance, reading, _day_spoken_of(situation, context, policy), policy)


def _with_same_time(
    dates: tuple[DateMatch, ...], utterance: Utterance, reading: Reading, situation: TalkSituation, context: Context,
    policy: Policy,
) -> tuple[DateMatch, ...]:  # fmt: skip
    """ "tomorrow at the same time": the hour of what was spoken of last, where neither the day nor what is named has
    one. What is new may share a word with what is there; what is moved has its own hour."""
    words, adds = reading.scene.words, _adds(reading, policy)
    said = policy.lexicon.says(_MOMENT, words) and not _is_told_after(dates, utterance, policy)
    time = (_day_spoken_of(situation, context, policy) or "")[10:16] if said else ""
    if not time or any("T" in date.value for date in dates):
        return dates
    content = tuple(place for place, word in enumerate(words) if word not in policy.small_words)
    named = find_mentioned(utterance, words, content, context, policy)
    points = any(not _POINTING.isdisjoint(policy.word_classes.get(word, ())) for word in words)
    has_hour = any("T" in (each.task.due_date or "") and (each.named or not adds) for each in named)
    if has_hour or (points and not named):
        return dates  # it keeps the hour that it has
    return tuple(
        replace(date, value=date.value + time, alternatives=(), span=_with_moment(date.span, utterance, policy))
        for date in dates
    )


def _with_moment(day: Span, utterance: Utterance, policy: Policy) -> Span:
    """ "photographer on 5 November, same time": what says the hour goes with the day, and is no part of a name."""
    words = utterance.words
    for place in range(len(words)):
        end = max(policy.lexicon.ends(_MOMENT, words, place), default=0)
        said = utterance.span(place, end) if end else day
        first, second = sorted((day, said), key=lambda each: each.start)
        between = [token.norm for token in utterance.tokens if first.end <= token.start < second.start]
        if end and all(word in policy.small_words for word in between):
            return Span(first.start, max(day.end, said.end))
    return day


_POINTING = frozenset({"pronoun", "just_it", "clitic"})


_TELLING = frozenset({"subject", "still_to_come"})
""" "they", "they'll"."""


def _is_told_after(dates: tuple[DateMatch, ...], utterance: Utterance, policy: Policy) -> bool:
    """ "1 September instead, they will be sitting up by then": who tells something after a day means that day."""
    days = [date.span.end for date in dates if date.has_day]
    after = tuple(token.norm for token in utterance.tokens if days and token.start >= days[-1])
    moment = next((place for place in range(len(after)) if policy.lexicon.ends(_MOMENT, after, place)), 0)
    return any(not _TELLING.isdisjoint(policy.word_classes.get(word, ())) for word in after[:moment])


def _after_name(end: int, words: tuple[str, ...], policy: Policy) -> int:
    """ "the same day as the tuning", "the day before they come": also where no name is known that way, it is no part
    of what is added."""
    told = end < len(words) and _COMES in policy.word_classes.get(words[end], ())
    if end >= len(words) or not (told or policy.lexicon.ends(_AS, words, end)):
        return end
    later = (place for place in range(end, len(words)) if words[place] in policy.splitters)
    return next(later, len(words))


_AS, _COMES = "same_as", "subject"


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _due_of_named(
    start: int, utterance: Utterance, words: tuple[str, ...], context: Context, policy: Policy
) -> tuple[str, int] | None:
    """ "the same day as the dentist": when that is which is named right after, and where its name ends."""
    said = tuple(place for place in range(start, len(words)) if words[place] not in policy.small_words)
    if not said or said[0] - start > _NEAR:
        return None
    found = find_mentioned(utterance, words, said, context, policy)
    named = [each for each in found if each.named] or (list(found) if len(found) == 1 else [])  # "as the keys"
    due = named[0].task.due_date if named else None
    return (due, max(named[0].places) + 1) if due else None


def _own_due(end: int, utterance: Utterance, reading: Reading, context: Context, policy: Policy) -> str | None:
    """ "move the fitting to nine, same day": when the fitting is. Something new is not yet, also where its name has a
    word of the fitting's in it."""
    if _adds(reading, policy):
        return None
    words = reading.scene.words
    said = tuple(place for place in range(end) if words[place] not in policy.small_words)
    found = find_mentioned(utterance, words, said, context, policy) if said else ()
    alone = list(found) if len(found) == 1 and not found[0].slips else []  # "the football", of a "football match"
    named = [each for each in found if each.named] or alone
    if len(named) != 1 or (not reading.frames and _has_other_words_first(said, named[0].places, words, policy)):
        return None
    return named[0].task.due_date


def _has_other_words_first(
    said: tuple[int, ...], named: Collection[int], words: tuple[str, ...], policy: Policy
) -> bool:
    """ "collect the money for the trip", where there is a trip."""
    classes = (policy.word_classes.get(words[place], ()) for place in said if place < min(named))
    return any(_MOVING.isdisjoint(names) for names in classes)


_MOVING = frozenset({"cue_move", "move", "finite"})


def _adds(reading: Reading, policy: Policy) -> bool:
    lead = reading.frames[0].frame.intent if reading.frames else None
    return lead is not None and policy.catalogue.by_intent[lead].effect == "add"


def _day_spoken_of(situation: TalkSituation, context: Context, policy: Policy) -> str | None:
    """Of the call that waits for a yes, of the last one that had one, else what the last message told ("booked, for 8
    on the 3rd of July"), else of what was spoken of last."""
    waits = (context.pending.call,) if context.pending else ()
    for call in reversed((*([situation.list_call] if situation.list_call else ()), *situation.calls, *waits)):
        for value in call.parameters.values():
            said = _ISO_MOMENT.match(value) if isinstance(value, str) else None
            if said:
                return said.group()
    told = _day_told(context, policy)
    if told:
        return told
    for task_id in reversed(situation.spoken_of):
        task = context.tasks.find_by_id(task_id)
        due = task.due_date if task else None
        if due or task is None:
            return due
        noted = _days_in(task.description, context, policy)
        if noted:
            return noted[0] if len(noted) == 1 else None
    return None


def _days_in(note: str, context: Context, policy: Policy) -> list[str]:
    """ "4 people from 30 October": the day of something that has none of its own."""
    dates = find_dates(note[:_LONGEST_NOTE], context.now, policy.date_words) if note else ()
    return [each.value[:10] for each in dates if each.has_day and not each.recurring]


_LONGEST_NOTE = 200


def _day_told(context: Context, policy: Policy) -> str | None:
    said = next((each.content for each in reversed(context.history) if each.role == "user"), "")
    dates = [
        each.value for each in find_dates(said, context.now, policy.date_words) if each.has_day and not each.range_end
    ]
    return max(dates, key=len) if dates else None  # "8am on the 3rd of July" is one moment
