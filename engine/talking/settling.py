"""Changes to what exists, where message, store and conversation together say which and how."""

from __future__ import annotations

from dataclasses import replace

from engine.catalogue.facts import Effect, ToolFacts
from engine.dates import DateMatch
from engine.decision import Reference, Slot
from engine.outcome.values import Outcome
from engine.slots.draft import Draft
from engine.slots.keeping import join_dates
from engine.slots.titles import date_spans
from engine.talking.basis import Basis, judge_with
from engine.talking.noticed import Noticed
from engine.talking.pointing import find_targets
from engine.talking.renaming import find_new_name
from engine.talking.spans import find_note_text, gives_note
from engine.values import Argument, Provenance, Task

_OLD_VALUE = "old_value"
_NEAR = 3


def finish(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    return _each(noticed, basis, "finish")


def remove(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    return _each(noticed, basis, "remove")


def _each(noticed: Noticed, basis: Basis, effect: Effect) -> tuple[Outcome, ...] | None:
    facts = _tool(noticed, effect)
    references = [each for each in find_targets(noticed, effect) if effect != "finish" or not _is_done(each, noticed)]
    if facts is None or not references:
        return None
    return tuple(judge_with(basis, facts, Draft(facts.intent), reference, noticed.told) for reference in references)


def _is_done(reference: Reference, noticed: Noticed) -> bool:
    task = noticed.told.context.tasks.find_by_id(reference.task_id) if reference.task_id else None
    return task is not None and task.status == noticed.told.policy.catalogue.states[1]


def change(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    facts = _tool(noticed, "change")
    if facts is None:
        return None
    reopens = _reopens(noticed)
    references = find_targets(noticed, "change")
    if not references:
        return None
    outcomes = []
    for reference in references:
        slots = find_changes(noticed, facts, reference, reopens=reopens)
        if not slots:
            return None
        arguments = tuple(Argument(each.name, each.value, Provenance("words", each.span)) for each in slots)
        outcomes.append(judge_with(basis, facts, Draft(facts.intent, arguments, slots), reference, noticed.told))
    return tuple(outcomes)


def find_changes(
    noticed: Noticed, facts: ToolFacts, reference: Reference, *, reopens: bool = False
) -> tuple[Slot, ...]:
    """All that the message says shall be different."""
    told, found = noticed.told, []
    task = told.context.tasks.find_by_id(reference.task_id) if reference.task_id else None
    note = _note(noticed, facts, task)
    if note:
        found.append(note)
    date = pick_date(noticed, task)
    argument = facts.argument("date")
    if argument and noticed.shift and isinstance(task, Task) and task.due_date:
        moved = noticed.shift.move(task.due_date)
        if moved:
            found.append(Slot(argument, moved, noticed.shift.span))
    elif argument and date and not (note and _inside(date, note)):
        found.append(Slot(argument, join_dates(date, task), date.span, date.alternatives))
    level = pick_level(noticed)
    if level and facts.argument("level"):
        found.append(Slot(facts.argument("level"), level, noticed.whole))
    renamed = find_new_name(noticed, facts, task.title) if isinstance(task, Task) and not found else None
    if renamed:
        found.append(renamed)
    if reopens and not found:
        found.append(Slot(facts.argument("status"), told.policy.catalogue.states[0], noticed.whole))
    return tuple({slot.name: slot for slot in found}.values())


def _inside(date: DateMatch, slot: Slot) -> bool:
    return slot.span.start <= date.span.start < slot.span.end


def _reopens(noticed: Noticed) -> bool:
    return noticed.has_cue("reopen")


def pick_date(noticed: Noticed, task: object = None) -> DateMatch | None:
    """The date that shall be: of several, the last that is not the old one ("not on Friday but …")."""
    spans = date_spans(noticed.told.dates, noticed.utterance)
    dates = [each for each in noticed.told.dates if each.span in spans]
    due = str(getattr(task, "due_date", None) or "")
    new = [each for each in dates if not _is_old(each, noticed)]
    other = [each for each in new if not (due and each.has_day and due.startswith(each.value))] or new or dates
    days = [each for each in other if each.has_day]
    if not other:
        return None
    date = (days or other)[-1]
    return replace(date, alternatives=()) if len(dates) > 1 else date  # "in the morning, at ten"


def _is_old(date: DateMatch, noticed: Noticed) -> bool:
    tokens, words = noticed.utterance.tokens, noticed.weighed.reading.scene.words
    first = next((place for place, token in enumerate(tokens) if token.end > date.span.start), 0)
    return any(
        first in noticed.told.policy.lexicon.ends(_OLD_VALUE, words, place)
        for place in range(max(0, first - _NEAR), first)
    )


def pick_level(noticed: Noticed) -> str | None:
    """ "not so urgent" is the lowest level, not the highest."""
    level = noticed.level
    if level is None:
        return None
    said = _said_levels(noticed)
    if len(set(said)) > 1:
        return said[-1]  # "no longer low, high"
    levels = [value for name, value in _levels(noticed)]
    if noticed.has_cue("less") and levels:
        return levels[0]
    return level


def _said_levels(noticed: Noticed) -> list[str]:
    words, lexicon = noticed.weighed.reading.scene.words, noticed.told.policy.lexicon
    levels = dict(_levels(noticed))
    said, place = [], 0
    while place < len(words):
        found = [(length, name) for name, length in lexicon.classes(words, place) if name in levels]
        if found:
            said.append(levels[max(found)[1]])  # "not important" is one level, not two
        place += max(found)[0] if found else 1
    return said


def _levels(noticed: Noticed) -> list[tuple[str, str]]:
    facts = _tool(noticed, "change")
    return list(noticed.told.policy.level_classes[facts.name].items()) if facts else []


def _note(noticed: Noticed, facts: ToolFacts, task: object) -> Slot | None:
    """The text that a message gives as a note; nothing where it takes the note away."""
    argument = facts.argument("note")
    cue, gives = noticed.has_cue("note"), gives_note(noticed)
    if not argument:
        return None
    if cue and not gives and noticed.has_cue("off") and ":" not in noticed.utterance.text:
        return Slot(argument, "", noticed.whole)  # "take the note off it"
    if not gives:
        return None
    words = find_note_text(noticed, 0, noticed.weighed.reading.scene.stop)
    if words is None:
        return None
    kept = getattr(task, "description", "") if noticed.has_cue("more") else ""
    return Slot(argument, f"{kept}\n{words.value}" if kept else words.value, words.span)


def _tool(noticed: Noticed, effect: Effect) -> ToolFacts | None:
    return next((tool for tool in noticed.told.policy.catalogue.tools if tool.effect == effect), None)
