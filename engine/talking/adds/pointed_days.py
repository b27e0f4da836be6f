"""Something new on a day that only the conversation or the store knows: "add fetch the cake, same day as the party"."""

from __future__ import annotations

from engine.decision import Factor
from engine.outcome.values import Outcome
from engine.reading.weighing import Weighed
from engine.slots.draft import draft
from engine.talking.basis import Basis, judge_with
from engine.talking.values import Told

_SURE = 0.85


def add_on_pointed_day(weighed: Weighed, told: Told) -> tuple[Outcome, ...] | None:
    """Asked for in so many words, where the day is pointed at: its words are no part of the title."""
    if told.dates is weighed.dates:
        return None  # nearly always: none is pointed at
    lead = min(told.reading.frames, key=lambda each: each.start, default=None)
    facts = told.policy.catalogue.by_intent.get(lead.frame.intent) if lead else None
    pointed = [date for date in told.dates if date.has_day and date not in weighed.dates]
    if lead is None or facts is None or facts.effect != "add" or not pointed or told.context.pending:
        return None
    if lead.frame.weak and lead.start > told.reading.scene.opening:
        return None
    drafted = draft(told.reading, facts.intent, told.policy, told.dates)
    if drafted.problem or not any(slot.name == facts.argument("name") for slot in drafted.slots):
        return None
    factors = (Factor("asked for, on a day that is pointed at", _SURE),)
    basis = Basis("move:add", "request", _SURE, factors, lead.start, lead.end, lead.slots)
    return (judge_with(basis, facts, drafted, None, told),)
