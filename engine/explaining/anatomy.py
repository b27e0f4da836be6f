"""A decision taken apart for Inspect: each request of the message with everything that was observed in it.

A Decision keeps only the strongest evidence, so that deciding stays quick. Here all of it comes back, read
by the same functions; `tests/engine/test_anatomy.py` holds that the two never differ. A decider with a reading of its
own takes itself apart (`OwnDecider.dissect`), into the same values.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple, Protocol

from engine.decider import JudgedRequest, RuleDecider, read_message
from engine.decision import Context, Decider, Decision, Intent, Language, Reason, TaskIndex, Thresholds
from engine.domain import UNKNOWN
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.policy.weights import Vector
from engine.reading.frames import FrameMatch
from engine.text.normalise import TEXT_LIMIT, Utterance, normalise
from engine.values import Span, Task

EVERY_THRESHOLD = tuple(each.name for each in fields(Thresholds))


class Piece(NamedTuple):
    """One observation with its weight for every intent, in the order of the catalogue."""

    rule: str
    span: Span
    """From the first word that gave it to the last."""
    vector: Vector
    spans: tuple[Span, ...] = ()
    """Where the words do not stand together ("mark … as done"): each stretch of them."""
    seen: str = ""
    """What was seen, in words, where the kind of the rule does not say it."""
    place: str = ""
    """The line that somebody would edit, where it is in no policy file."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request of the message: its words, what was observed in them, and what comes of it."""

    utterance: Utterance
    outcome: Outcome
    intents: tuple[Intent, ...]
    """In the order of a piece's weights."""
    pieces: tuple[Piece, ...] = ()
    """Empty where the words answered a question: then no weight had a say."""
    corrections: tuple[tuple[Span, str], ...] = ()
    """Words that were read as others: their place, and what was meant."""
    label: str = ""
    """To tell it from the others, where all of them stand in the same words."""

    @property
    def span(self) -> Span:
        tokens = self.utterance.tokens
        return Span(tokens[0].start, tokens[-1].end)

    @property
    def rival(self) -> Intent:
        """The strongest intent beside the one that was read."""
        others = [score for score in self.outcome.scores if score.intent != self.outcome.intent]
        if others:
            return max(others, key=lambda score: score.score).intent
        # Where only one was scored: what else the words spoke for.
        spoken = [
            intent
            for piece in self.pieces
            for intent, weight in zip(self.intents, piece.vector, strict=True)
            if weight > 0 and intent != self.outcome.intent
        ]
        return next(iter(spoken), UNKNOWN)

    def pull(self, piece: Piece) -> float:
        """How far a piece moves the intent that was read away from its rival."""
        return self.weight(piece, self.outcome.intent) - self.weight(piece, self.rival)

    def weight(self, piece: Piece, intent: Intent) -> float:
        return piece.vector[self.intents.index(intent)]


@dataclass(frozen=True, slots=True)
class Anatomy:
    text: str
    language: Language
    policy: Policy
    decision: Decision
    requests: tuple[Request, ...]
    """Empty for a message that is empty or too long: nothing was read."""
    held_to: tuple[str, ...] = EVERY_THRESHOLD
    """The thresholds that have a say in this reading."""
    telling: tuple[str, ...] = ()
    """Words that a reading of its own listens for; of the others the policy says it."""

    @property
    def thresholds(self) -> Thresholds:
        return self.decision.thresholds or self.policy.thresholds


class OwnDecider(Decider, Protocol):
    """A decider with a reading of its own, that can be taken apart and varied like the engine."""

    def policy_of(self, text: str, context: Context) -> Policy:
        """Its sentences and thresholds for this message."""
        ...

    def with_policy(self, policy: Policy) -> OwnDecider:
        """The same, held to the thresholds of this policy."""
        ...

    def dissect(self, text: str, context: Context) -> Anatomy: ...

    def things(self, context: Context) -> tuple[Task, ...]:
        """All that is in reach."""
        ...

    def with_things(self, context: Context, things: tuple[Task, ...]) -> TaskIndex:
        """What is in reach, but only these, under the names that they have here."""
        ...


ReadingDecider = RuleDecider | OwnDecider


def dissect(text: str, context: Context, decider: ReadingDecider) -> Anatomy:
    if not isinstance(decider, RuleDecider):
        return decider.dissect(text, context)
    policy = decider.policy_of(text, context)
    decision = decider.decide(text, context)
    requests: tuple[Request, ...] = ()
    if decision.reason not in (Reason.EMPTY, Reason.TOO_LONG) and len(text) <= TEXT_LIMIT:
        requests = _requests(normalise(text, policy.spellings, policy.elisions), context, policy)
    return Anatomy(text, policy.language, policy, decision, requests)


def _requests(utterance: Utterance, context: Context, policy: Policy) -> tuple[Request, ...]:
    judged, answered = read_message(utterance, context, policy)
    if answered:
        return (Request(utterance, judged[0].outcome, policy.catalogue.intents),)
    return tuple(_request(each, policy) for each in judged)


def _request(judged: JudgedRequest, policy: Policy) -> Request:
    utterance, reading = judged.utterance, judged.weighed.reading
    carriers = {match.frame.id: _carrier(match, utterance) for match in reading.frames}
    pieces = tuple(
        Piece(
            each.name,
            utterance.span(each.first, each.last),
            vector,
            carriers.get(each.name.partition(":")[2], ()) if each.name.startswith(("frame:", "lead:")) else (),
        )
        for each, vector in zip(reading.observations, reading.vectors, strict=True)
    )
    corrections = tuple((utterance.span(each.place, each.place + 1), each.meant) for each in reading.corrections)
    return Request(utterance, judged.outcome, policy.catalogue.intents, pieces, corrections)


def _carrier(match: FrameMatch, utterance: Utterance) -> tuple[Span, ...]:
    """The words of the frame itself, those in its slots left out."""
    inside = match.covered()
    spans: list[Span] = []
    previous = -2
    for place in range(match.start, min(match.end, len(utterance.tokens))):
        if place in inside:
            continue
        here = utterance.span(place, place + 1)
        if place == previous + 1:
            spans[-1] = Span(spans[-1].start, here.end)
        else:
            spans.append(here)
        previous = place
    return tuple(spans)
