"""What each thing noticed in a message is worth for each move: learned, and the same in every language of a domain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.policy.weights import Vector, probabilities

NOTHING = "nothing"
YES, NO = "yes", "no"
ANSWERS = (YES, NO)
"""Moves that answer a question whether something shall be done."""


@dataclass(frozen=True)
class TalkWeights:
    moves: tuple[str, ...] = ()
    """What a message may do: the effects of the tools, undo, redo, nothing. Empty: nothing was learned."""
    bias: Vector = ()
    weights: Mapping[str, Vector] = field(default_factory=dict)

    def add_up(self, things: Iterable[tuple[str, float]]) -> list[float]:
        totals = list(self.bias)
        for name, value in things:
            vector = self.weights.get(name)
            if vector:
                for place, weight in enumerate(vector):
                    totals[place] += weight * value
        return totals

    def shares(self, things: Iterable[tuple[str, float]]) -> tuple[float, ...]:
        return probabilities(self.add_up(things))


def read_talk_weights(data: Mapping[str, Any]) -> TalkWeights:
    """The table of `talk.json`; KeyError, TypeError or ValueError where it is none."""
    if not data:
        return TalkWeights()
    moves = tuple(data["moves"])
    weights = {name: tuple(map(float, vector)) for name, vector in data["weights"].items()}
    bias = tuple(map(float, data["bias"]))
    if len(bias) != len(moves) or any(len(vector) != len(moves) for vector in weights.values()):
        raise ValueError("each entry needs a number for each move")
    return TalkWeights(moves, bias, weights)
