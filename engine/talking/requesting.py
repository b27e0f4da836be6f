"""Requests that the store makes plain: statements that mean a change, and everyday things to do."""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.decision import Reference
from engine.outcome.judging import judge
from engine.outcome.values import Outcome
from engine.policy.values import Frame
from engine.reading.frames import FrameMatch
from engine.reading.weighing import Weighed
from engine.slots.draft import Draft, draft
from engine.talking.trimming import trim
from engine.talking.values import Heard, Told, add_up


def request(heard: Heard, told: Told) -> tuple[Outcome, ...] | None:
    facts = told.policy.catalogue.by_intent.get(heard.way.intent)
    if facts is None:
        return None
    drafted = draft_as(heard, facts, told)
    return (judge_as(heard, facts, drafted, heard.reference, told),)


def draft_as(heard: Heard, facts: ToolFacts, told: Told) -> Draft:
    """The arguments that the slots of the way say, as those of a frame would."""
    slots = heard.slots
    if facts.effect == "add":
        name = facts.argument("name")
        slots = tuple(
            (slot, *trim(told, start, end)) if slot == name else (slot, start, end) for slot, start, end in slots
        )
    lead = FrameMatch(Frame(heard.way.id, facts.intent, (), sets=heard.way.sets), heard.start, heard.end, slots)
    return draft(told.reading._replace(frames=(lead,)), facts.intent, told.policy, told.dates)


def judge_as(heard: Heard, facts: ToolFacts, drafted: Draft, reference: Reference | None, told: Told) -> Outcome:
    """What is done about it, as about any request."""
    reading = told.reading._replace(
        frames=(FrameMatch(Frame(heard.way.id, facts.intent, ()), heard.start, heard.end, heard.slots),), guard=None
    )
    ledger = heard.ledger()
    weighed = Weighed(reading, facts.intent, add_up(ledger), ledger, (), "", 0.0, drafted, reference, told.dates)
    return judge(weighed, told.context, told.policy)._replace(act=heard.way.act)
