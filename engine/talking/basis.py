"""Why something is done: the name of the reading, how sure it is, and the steps to that."""

from __future__ import annotations

from typing import NamedTuple

from engine.catalogue.facts import ToolFacts
from engine.decision import Act, Factor, IntentScore, Reference
from engine.outcome.judging import judge
from engine.outcome.values import Outcome
from engine.policy.values import Frame
from engine.reading.frames import FrameMatch
from engine.reading.weighing import Weighed
from engine.slots.draft import Draft, draft
from engine.talking.values import Heard, Told, add_up

Slots = tuple[tuple[str, int, int], ...]


class Basis(NamedTuple):
    name: str
    act: Act
    confidence: float
    ledger: tuple[Factor, ...]
    start: int
    end: int
    slots: Slots = ()
    scores: tuple[IntentScore, ...] = ()
    """What each intent has of it."""


def basis_of(heard: Heard) -> Basis:
    return Basis(heard.way.id, "continue", heard.confidence, heard.ledger(), heard.start, heard.end)


def draft_with(basis: Basis, facts: ToolFacts, told: Told) -> Draft:
    """The arguments that the slots say, as those of a frame would."""
    lead = FrameMatch(Frame(basis.name, facts.intent, ()), basis.start, basis.end, basis.slots)
    return draft(told.reading._replace(frames=(lead,)), facts.intent, told.policy, told.dates)


def judge_with(basis: Basis, facts: ToolFacts, drafted: Draft, reference: Reference | None, told: Told) -> Outcome:
    """What is done about it, as about any request."""
    lead = FrameMatch(Frame(basis.name, facts.intent, ()), basis.start, basis.end, basis.slots)
    reading = told.reading._replace(frames=(lead,), guard=None)
    weighed = Weighed(
        reading, facts.intent, add_up(basis.ledger), basis.ledger, basis.scores, "", 0.0, drafted, reference, told.dates
    )
    return judge(weighed, told.context, told.policy)._replace(act=basis.act)
