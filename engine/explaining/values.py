"""A decision taken apart, as values: the same for every domain, whatever it is read by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple, Protocol

from engine.catalogue.facts import UNKNOWN
from engine.decision import Context, Decider, Decision, Intent, Language, TaskIndex, Thresholds
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.policy.weights import Vector
from engine.text.normalise import Utterance
from engine.values import Span, Task

if TYPE_CHECKING:
    from engine.completing.values import Composition, Request
    from engine.editing.edits import Edit
    from engine.why.values import OwnReasons, WhyNot

EVERY_THRESHOLD = tuple(each.name for each in fields(Thresholds))


class EvidencePiece(NamedTuple):
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
class RequestAnatomy:
    """One request of the message: its words, what was observed in them, and what comes of it."""

    utterance: Utterance
    outcome: Outcome
    intents: tuple[Intent, ...]
    """In the order of a piece's weights."""
    pieces: tuple[EvidencePiece, ...] = ()
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

    def pull(self, piece: EvidencePiece) -> float:
        """How far a piece moves the intent that was read away from its rival."""
        return self.weight(piece, self.outcome.intent) - self.weight(piece, self.rival)

    def weight(self, piece: EvidencePiece, intent: Intent) -> float:
        return piece.vector[self.intents.index(intent)]


@dataclass(frozen=True, slots=True)
class Anatomy:
    text: str
    language: Language
    policy: Policy
    decision: Decision
    requests: tuple[RequestAnatomy, ...]
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

    def find_reasons(self, text: str, context: Context, wanted: Intent, arguments: Mapping[str, str]) -> OwnReasons:
        """Why it was not read as wanted, by the steps of its own reading."""
        ...

    def find_edits(
        self, text: str, context: Context, why: WhyNot, values: Mapping[str, str]
    ) -> tuple[tuple[Edit, float], ...]:
        """What may mend it, each with how little it looks like something that a person would write."""
        ...

    def complete(self, request: Request) -> Composition:
        """A call that came incomplete, completed by its own policies."""
        ...

    def things(self, context: Context) -> tuple[Task, ...]:
        """All that is in reach."""
        ...

    def with_things(self, context: Context, things: tuple[Task, ...]) -> TaskIndex:
        """What is in reach, but only these, under the names that they have here."""
        ...
