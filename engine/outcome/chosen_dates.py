"""A date that was said before it was known whose it is: what the message did not name of it stays as it was."""

from __future__ import annotations

from engine.decision import Context
from engine.policy.values import Policy
from engine.reading.weighing import dates_of
from engine.slots.keeping import join_due
from engine.text.normalise import normalise
from engine.values import DAY_LENGTH, Argument


def with_rest(date: Argument, due: str | None, context: Context, policy: Policy) -> object:
    """ "move the lesson to six", "which one?", "Jo's": at six on the day of hers. A new day keeps the time."""
    asked = next((each.content for each in reversed(context.history) if each.role == "user"), "")
    span = date.provenance.span
    found = dates_of(normalise(asked, policy.spellings, policy.elisions), context, policy) if asked and span else ()
    said = next((each for each in found if each.span == span and each.value == date.value), None)
    if said:
        return join_due(said, due)
    value = date.value
    is_day = isinstance(value, str) and len(value) == DAY_LENGTH and value[:4].isdigit()
    return f"{value}{due[DAY_LENGTH:]}" if is_day and due and "T" in due else value
