"""Requests that the store makes plain: statements that mean a change, and everyday things to do."""

from __future__ import annotations

from collections.abc import Mapping

from engine.catalogue.facts import ToolFacts
from engine.decision import Reference
from engine.outcome.judging import judge
from engine.outcome.values import Outcome
from engine.policy.values import Frame
from engine.reading.frames import FrameMatch
from engine.reading.weighing import Weighed
from engine.slots.draft import Draft, draft
from engine.slots.levels import level_beside
from engine.talking.adds.cutting import cut_at_chores
from engine.talking.adds.trimming import trim
from engine.talking.names.each_in_slot import find_each
from engine.talking.values import Heard, Told, add_up

_MOST = 6
Slots = tuple[tuple[str, int, int], ...]


def request(heard: Heard, told: Told) -> tuple[Outcome, ...] | None:
    facts = told.policy.catalogue.by_intent.get(heard.way.intent)
    if facts is None:
        return None
    if facts.effect == "add":
        each = [heard._replace(slots=slots) for slots in _one_by_one(heard, facts, told)]
        own = [told if len(each) == 1 else _with_own_dates(one, facts, told) for one in each]
        return tuple(
            judge_as(one, facts, draft_as(one, facts, mine), heard.reference, mine)
            for one, mine in zip(each, own, strict=True)
        )
    drafted = draft_as(heard, facts, told)
    each_named = find_each(heard, told)
    return tuple(judge_as(heard, facts, drafted, named, told) for named in each_named or (heard.reference,))


def _one_by_one(heard: Heard, facts: ToolFacts, told: Told) -> list[Slots]:
    """ "I need to order clay, buy a bag of sand": a comma and a verb begin something else to do."""
    name = facts.argument("name")
    place = heard.slot(name)
    pieces = cut_at_chores(*place, told) if place and "," in told.reading.utterance.text else []
    spans = [told.reading.utterance.span(*piece) for piece in pieces]
    placed = all(any(span.start <= date.span.start < span.end for span in spans) for date in told.dates)
    if not 2 <= len(pieces) <= _MOST or not placed:
        return [heard.slots]
    return [
        tuple((slot, *(piece if slot == name else (first, last))) for slot, first, last in heard.slots)
        for piece in pieces
    ]


def _with_own_dates(heard: Heard, facts: ToolFacts, told: Told) -> Told:
    """ "I need to order clay, and ring Bo tomorrow": a day is that of the piece it stands in."""
    place = heard.slot(facts.argument("name"))
    if place is None:
        return told
    span = told.reading.utterance.span(*place)
    return told._replace(dates=tuple(each for each in told.dates if span.start <= each.span.start < span.end))


def draft_as(heard: Heard, facts: ToolFacts, told: Told) -> Draft:
    """The arguments that the slots of the way say, as those of a frame would."""
    slots = heard.slots
    if facts.effect == "add":
        name = facts.argument("name")
        slots = tuple(
            (slot, *trim(told, start, end)) if slot == name else (slot, start, end) for slot, start, end in slots
        )
    sets = values_set(heard, facts, told)
    lead = FrameMatch(Frame(heard.way.id, facts.intent, (), sets=sets), heard.start, heard.end, slots)
    return draft(told.reading._replace(frames=(lead,)), facts.intent, told.policy, told.dates)


def values_set(heard: Heard, facts: ToolFacts, told: Told) -> Mapping[str, str]:
    """What the way itself gives; a level that the message names beside it counts more."""
    level, sets = facts.argument("level"), heard.way.sets
    beside = level_beside(told.reading.scene.words, told.policy, facts) if level in sets else None
    return {**sets, level: beside} if beside and level else sets


def judge_as(heard: Heard, facts: ToolFacts, drafted: Draft, reference: Reference | None, told: Told) -> Outcome:
    """What is done about it, as about any request."""
    reading = told.reading._replace(
        frames=(FrameMatch(Frame(heard.way.id, facts.intent, ()), heard.start, heard.end, heard.slots),), guard=None
    )
    ledger = heard.ledger()
    weighed = Weighed(reading, facts.intent, add_up(ledger), ledger, (), "", 0.0, drafted, reference, told.dates)
    return judge(weighed, told.context, told.policy)._replace(act=heard.way.act)
