"""Learned evidence: how much each observation speaks for each intent, and how a score becomes a probability.

The file is written by `training/learn_weights.py`; nothing here learns.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import exp
from pathlib import Path
from typing import Protocol

from engine.catalogue.mapping import INTENTS

Vector = tuple[float, ...]


class FrameKind(Protocol):
    """What counts of a frame here."""

    @property
    def id(self) -> str: ...

    @property
    def intent(self) -> str: ...

    @property
    def weak(self) -> bool: ...

    @property
    def clear(self) -> bool: ...


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
    if not path.exists():  # a policy edited elsewhere may come without its table
        return Weights()
    data = json.loads(path.read_text(encoding="utf-8"))
    return Weights(
        bias=tuple(data["bias"]),
        evidence=_unpack(data["evidence"]),
        vocabulary=frozenset(data["vocabulary"].split()),
        calibration=tuple((raw, share) for raw, share in data["calibration"]),
    )


def weigh_new_frames(weights: Weights, frames: Sequence[FrameKind]) -> Weights:
    """A frame that was added after the table was learned weighs what frames of its kind weigh on average,
    so that a line in the policy works at once; learning again replaces the guess."""
    if not weights.evidence:
        return weights  # nothing was learned yet: this is how learning itself starts
    table = weights.evidence
    added: dict[str, Vector] = {}
    for frame in frames:
        if not any(name in table for name in _names(frame)):
            kin = [_names(other) for other in frames if _are_kin(frame, other)]
            for role, name in enumerate(_names(frame)):
                known = [table[names[role]] for names in kin if names[role] in table]
                if known:
                    added[name] = tuple(sum(column) / len(known) for column in zip(*known, strict=True))
    return replace(weights, evidence={**table, **added}) if added else weights


def _names(frame: FrameKind) -> tuple[str, str]:
    """A frame is observed as one that fits, and once more if it is the one that reads the request best."""
    return f"frame:{frame.id}", f"lead:{frame.id}"


def _are_kin(frame: FrameKind, other: FrameKind) -> bool:
    return (frame.intent, frame.weak, frame.clear) == (other.intent, other.weak, other.clear)


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
