"""What is known about why a message was not read otherwise, as values that a page can draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from engine.decision import Decision, Intent, Language
from engine.policy.origin import Place
from engine.values import Span

MissKind = Literal["swap", "lack", "extra", "start", "end", "unless", "slot_needs", "inside"]
"""The one condition at which a way of asking failed: other words stand where its own should; they are missing; words
stand in between; it does not stand where a request begins, or ends; it has a word that rules it out; a slot lacks a
word that it needs; it fits, but inside the slot of another way of asking."""
ObstacleKind = Literal[
    "guard", "loses", "reads_nothing", "below_threshold", "narrow_margin", "question", "learned_talk", "way_of_talking",
    "answer", "not_read", "no_word", "no_target",
]  # fmt: skip
_HOLDS_UP: frozenset[ObstacleKind] = frozenset({"below_threshold", "narrow_margin", "question", "no_word", "no_target"})
"""What leaves a message undone that is read as wanted."""
DecidedBy = Literal["words", "ways_of_talking", "learned_talk", "answer", "own_reading"]
"""What the decision came from. What was learned of conversations (`talk.json`) is nothing that a draft edits."""


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A way of asking for the intent that was wanted, and the one condition at which it failed."""

    frame: str
    pattern: str
    kind: MissKind
    told: str
    """In a sentence."""
    part: str = ""
    """The part of the pattern that found nothing: `<remind_me>`, `(on|to)`."""
    words: str = ""
    """The words of the message that stand there."""
    span: Span | None = None
    class_name: str = ""
    """Where that part is a class, or has one: the class that these words are not in."""
    distance: float = 0.0
    """The nearest has the least."""
    place: Place | None = None
    """The line of the way of asking."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why the reading came to something else although a way of asking fits, or whatever fits."""

    kind: ObstacleKind
    told: str
    rule: str = ""
    """What somebody would edit: `guard:negated`, `threshold:act`, `frame:…`; see `engine.policy.rule_places`."""
    amount: float = 0.0
    """By how much it loses or falls short."""
    span: Span | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class ValueGap:
    """A target or another value of the call that is not the one that was wanted."""

    name: str
    wanted: str
    found: str
    told: str
    classes: tuple[str, ...] = ()
    """The classes whose words would have said it."""


class OwnReasons(NamedTuple):
    """What a domain with a reading of its own says, by its own steps."""

    obstacles: tuple[Obstacle, ...] = ()
    misses: tuple[NearMiss, ...] = ()
    gaps: tuple[ValueGap, ...] = ()


@dataclass(frozen=True, slots=True)
class WhyNot:
    text: str
    language: Language
    wanted: Intent
    decision: Decision
    decided_by: DecidedBy
    obstacles: tuple[Obstacle, ...] = ()
    misses: tuple[NearMiss, ...] = ()
    """The nearest first."""
    gaps: tuple[ValueGap, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to explain: read as wanted, with what was wanted, and not held up on the way."""
        held_up = any(each.kind in _HOLDS_UP for each in self.obstacles)
        return self.is_read and not self.gaps and not held_up

    @property
    def is_read(self) -> bool:
        """Whether it is read as wanted already, whatever is done about it."""
        return self.decision.intent == self.wanted and (self.decision.action != "reply" or not self.decision.calls)
