"""Everything in a message, the store and the conversation that speaks for what the message does."""

from __future__ import annotations

from typing import NamedTuple

from engine.dates import DateShift
from engine.decision import Context
from engine.reading.weighing import Weighed
from engine.talking.names.mentions import MentionedTask
from engine.talking.values import Told
from engine.text.normalise import Utterance
from engine.values import Span

POINTING = frozenset({"pronoun", "just_it", "clitic", "points_back"})
"""Classes of words that point at something spoken of."""


class Thing(NamedTuple):
    """Something noticed."""

    name: str
    value: float = 1.0
    span: Span | None = None


class Noticed(NamedTuple):
    told: Told
    utterance: Utterance
    weighed: Weighed
    cues: tuple[tuple[str, int, int], ...]
    """Name, first and last word."""
    mentioned: tuple[MentionedTask, ...]
    level: str | None
    shift: DateShift | None
    content: tuple[int, ...]
    """The places of the words that say something and are no date."""
    points: bool
    """Whether it says "it", "that one" or the like."""
    things: tuple[Thing, ...] = ()
    """All that is weighed, each thing once."""

    @property
    def begun(self) -> bool:
        """Whether something was said before, or asked."""
        return begun(self.told.context)

    @property
    def whole(self) -> Span:
        """The place of all its words."""
        return self.utterance.span(0, len(self.utterance.tokens))

    def has_cue(self, *names: str) -> bool:
        return any(name in names for name, _, _ in self.cues)


def begun(context: Context) -> bool:
    return bool(context.history) or context.pending is not None


def holds(facet: str, noticed: Noticed) -> float:
    """How likely something is that was learned beside the moves; 0 where it was not."""
    return noticed.told.policy.talk.facet(facet, noticed.things) or 0.0
