"""What each thing noticed in a message is worth for each move: learned, and the same in every language of a domain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp
from typing import Any, NamedTuple

from engine.policy.weights import Vector, probabilities

NOTHING = "nothing"
YES, NO = "yes", "no"
ANSWERS = (YES, NO)
"""Moves that answer a question whether something shall be done."""


WeighedThing = tuple[str, float] | tuple[str, float, Any]
"""Something noticed and how much of it there is; what else is known of it is not asked."""


class SpanScores(NamedTuple):
    """What speaks for each word of a message: inside a stretch, as its first word, as its last."""

    inside: list[float]
    begins: list[float]
    ends: list[float]

    def worth(self, place: tuple[int, int]) -> float:
        first, last = place
        return self.begins[first] + sum(self.inside[first + 1 : last]) + self.ends[last - 1]


class SpanWeights(NamedTuple):
    """What speaks for a word's going on with a stretch, beginning it, ending it; under "" what speaks for any."""

    inside: Mapping[str, float]
    begins: Mapping[str, float]
    ends: Mapping[str, float]

    def scores(self, told: Sequence[Mapping[str, None]]) -> SpanScores:
        """`told`: what is known of each word."""
        return SpanScores(*([_add_up(part, each) for each in told] for part in self))


def _add_up(weights: Mapping[str, float], told: Mapping[str, None]) -> float:
    return sum(filter(None, map(weights.get, told))) + weights.get("", 0.0)


@dataclass(frozen=True)
class TalkWeights:
    moves: tuple[str, ...] = ()
    """What a message may do: the effects of the tools, undo, redo, nothing. Empty: nothing was learned."""
    bias: Vector = ()
    weights: Mapping[str, Vector] = field(default_factory=dict)
    spans: Mapping[str, SpanWeights] = field(default_factory=dict)
    """By what the stretch is: `name`, `note`."""
    facets: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """What speaks for a message's giving something of its own beside what it does: `note`."""

    def add_up(self, things: Iterable[WeighedThing]) -> list[float]:
        weights, vectors = self.weights, [self.bias]
        for thing in things:
            vector, value = weights.get(thing[0]), thing[1]
            if vector:
                vectors.append(vector if value == 1.0 else tuple([weight * value for weight in vector]))
        return list(map(sum, zip(*vectors, strict=True)))

    def facet(self, kind: str, things: Iterable[WeighedThing]) -> float | None:
        """How likely it is; None where that was not learned."""
        weights = self.facets.get(kind)
        if not weights:
            return None
        total = weights.get("", 0.0) + sum([worth * thing[1] for thing in things if (worth := weights.get(thing[0]))])
        return _likelihood(total)

    def facet_of(self, kind: str, names: Iterable[str]) -> float | None:
        """The same where each thing is there or not."""
        weights = self.facets.get(kind)
        return _likelihood(weights.get("", 0.0) + sum(filter(None, map(weights.get, names)))) if weights else None

    def shares(self, things: Iterable[WeighedThing]) -> tuple[float, ...]:
        return probabilities(self.add_up(things))


def _likelihood(total: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def read_talk_weights(data: Mapping[str, Any]) -> TalkWeights:
    """The table of `talk.json`; KeyError, TypeError or ValueError where it is none."""
    if not data:
        return TalkWeights()
    moves = tuple(data["moves"])
    weights = {name: tuple(map(float, vector)) for name, vector in data["weights"].items()}
    bias = tuple(map(float, data["bias"]))
    if len(bias) != len(moves) or any(len(vector) != len(moves) for vector in weights.values()):
        raise ValueError("each entry needs a number for each move")
    spans = {kind: SpanWeights(*(dict(part) for part in parts)) for kind, parts in data.get("spans", {}).items()}
    facets = {kind: dict(parts) for kind, parts in data.get("facets", {}).items()}
    return TalkWeights(moves, bias, weights, spans, facets)
