"""What a change does not name stays: a new time keeps the day, a new day keeps the time."""

from __future__ import annotations

from dataclasses import replace

from engine.catalogue.facts import ToolFacts
from engine.dates import DateMatch
from engine.decision import Context, Slot
from engine.values import Task


def keep_rest(
    slots: tuple[Slot, ...], dates: tuple[DateMatch, ...], task: object, facts: ToolFacts, context: Context
) -> tuple[Slot, ...]:
    argument = facts.argument("date")
    return tuple(replace(slot, value=_join(slot, dates, task)) if slot.name == argument else slot for slot in slots)


def _join(slot: Slot, dates: tuple[DateMatch, ...], task: object) -> str | int:
    due = task.due_date if isinstance(task, Task) else None
    match = next((each for each in dates if each.span == slot.span), None)
    if not due or match is None or not isinstance(slot.value, str):
        return slot.value
    if not match.has_day and "T" in slot.value:
        return due[:10] + slot.value[10:]
    if match.has_day and "T" not in slot.value and "T" in due:
        return slot.value + due[10:]
    return slot.value
