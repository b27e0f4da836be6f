"""Learned evidence: how much each observation speaks for each intent, and how a score becomes a probability.

The file is written by `training/learn_weights.py`; nothing here learns.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import exp
from pathlib import Path

from engine.mapping import INTENTS

Vector = tuple[float, ...]
ZERO: Vector = (0.0,) * len(INTENTS)


@dataclass(frozen=True)
class Weights:
    bias: Vector = ZERO
    evidence: Mapping[str, Vector] = field(default_factory=dict)
    """Observation -> one weight per intent, in the order of INTENTS."""
    vocabulary: frozenset[str] = frozenset()
    """Words that are words: fuzzy matching leaves them alone."""
    calibration: tuple[tuple[float, float], ...] = ((0.0, 0.0), (1.0, 1.0))
    """Raw probability -> share that was right, as a piecewise linear, rising table."""

    @cached_property
    def _raw(self) -> list[float]:
        return [raw for raw, _ in self.calibration]

    @cached_property
    def first_shares(self) -> tuple[float, ...]:
        """What each intent has before any word is read."""
        return tuple(map(self.calibrate, probabilities(self.bias)))

    def calibrate(self, probability: float) -> float:
        place = bisect_right(self._raw, probability)
        if place == 0:
            return self.calibration[0][1]
        if place == len(self.calibration):
            return self.calibration[-1][1]
        (left, low), (right, high) = self.calibration[place - 1], self.calibration[place]
        return low + (high - low) * (probability - left) / (right - left) if right > left else high


def probabilities(scores: Sequence[float]) -> tuple[float, ...]:
    highest = max(scores)
    powers = [exp(score - highest) for score in scores]
    total = sum(powers)
    return tuple([power / total for power in powers])


def read_weights(path: Path) -> Weights:
    if not path.exists():  # a policy edited elsewhere may come without its table; the frames' own weights still count
        return Weights()
    data = json.loads(path.read_text(encoding="utf-8"))
    return Weights(
        bias=tuple(data["bias"]),
        evidence=_unpack(data["evidence"]),
        vocabulary=frozenset(data["vocabulary"].split()),
        calibration=tuple((raw, share) for raw, share in data["calibration"]),
    )


def _unpack(table: Mapping[str, Mapping[str, float]]) -> dict[str, Vector]:
    """The file names only intents that an observation speaks about; the rest are zero."""
    place = {intent: position for position, intent in enumerate(INTENTS)}
    unpacked: dict[str, Vector] = {}
    for name, entry in table.items():
        vector = [0.0] * len(INTENTS)
        for intent, weight in entry.items():
            vector[place[intent]] = weight
        unpacked[name] = tuple(vector)
    return unpacked
