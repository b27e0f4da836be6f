"""The same for another one: "move the dentist to Wednesday", then "and the school as well"."""

from __future__ import annotations

from dataclasses import replace

from engine.catalogue.facts import ToolFacts
from engine.dates import find_dates
from engine.talking.values import Told
from engine.values import DAY_LENGTH, Argument, Provenance, Task, ToolCall


def as_before(call: ToolCall, facts: ToolFacts, task: Task | None, told: Told) -> tuple[Argument, ...]:
    """What the last call gave, for this one. Where only a day was said, each keeps its own hour."""
    date, kept = facts.argument("date"), Provenance("conversation", None, "as before")
    given = [replace(each, provenance=kept) for each in call.arguments if each.name != facts.target]
    if _said_an_hour(told):
        return tuple(given)
    hour = (task.due_date or "")[DAY_LENGTH:] if task else ""
    return tuple(
        replace(each, value=each.value[:DAY_LENGTH] + hour)
        if each.name == date and isinstance(each.value, str) and "T" in each.value
        else each
        for each in given
    )


def _said_an_hour(told: Told) -> bool:
    """Whether the message before this one had an hour. Without its words that is not known; what was done counts."""
    said = next((each.content for each in reversed(told.context.history) if each.role == "user"), "")
    dates = find_dates(said, told.context.now, told.policy.date_words)
    return not said or not dates or any("T" in each.value for each in dates)
