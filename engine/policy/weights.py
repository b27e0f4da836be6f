"""Learned evidence: how much each observation speaks for each intent, and how a score becomes a probability.

The file is written by `training/learn_weights.py`; nothing here learns.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import exp
from typing import Any, Protocol

Vector = tuple[float, ...]
SURROUNDINGS = ("date:", "store:", "talk:")
"""How the names of what is observed around the words begin."""
CARRIED = ("store:", "talk:")
"""Those whose weights are the same in all languages. What a date says depends on the other words: on what else
people ask with one, and how."""
UNSEEN = -9.0
"""Where an intent was never seen in learning, nothing but its own evidence makes it likely."""


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


@dataclass(frozen=True)
class Weights:
    bias: Vector = ()
    """One number per intent, in the order of the catalogue; empty: nothing was learned."""
    evidence: Mapping[str, Vector] = field(default_factory=dict)
    """Observation -> one weight per intent, in the same order."""
    vocabulary: frozenset[str] = frozenset()
    """Words that are words: fuzzy matching leaves them alone."""
    calibration: tuple[tuple[float, float], ...] = ((0.0, 0.0), (1.0, 1.0))
    """Raw probability -> share that was right, as a piecewise linear, rising table."""

    @cached_property
    def knows_surroundings(self) -> bool:
        """Whether anything was learned about dates, the store and the conversation."""
        return any(name.startswith(SURROUNDINGS) for name in self.evidence)

    @cached_property
    def _raw(self) -> list[float]:
        return [raw for raw, _ in self.calibration]

    @cached_property
    def _pieces(self) -> list[tuple[float, float, float, float]]:
        """Each stretch of the calibration: where it begins, its share there, how long it is, how far it rises."""
        ends = zip(self.calibration, self.calibration[1:], strict=False)
        return [(left, low, right - left, high - low) for (left, low), (right, high) in ends]

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
        left, low, length, rise = self._pieces[place - 1]
        return low + rise * (probability - left) / length if length > 0 else self.calibration[place][1]


def probabilities(scores: Sequence[float]) -> tuple[float, ...]:
    highest = max(scores)
    powers = [exp(score - highest) for score in scores]
    total = sum(powers)
    return tuple([power / total for power in powers])


def read_weights(data: Mapping[str, Any], intents: Sequence[str]) -> Weights:
    """The table of `weights.json`, which names its intents, in the order of the catalogue."""
    bias = _unpack({"bias": {**dict.fromkeys(intents, UNSEEN), **data["bias"]}}, intents)["bias"]
    evidence = _unpack(data["evidence"], intents)
    sum(map(sum, evidence.values()), sum(bias))  # TypeError where one of them is no number
    return Weights(
        bias=bias,
        evidence=evidence,
        vocabulary=frozenset(data["vocabulary"].split()),
        calibration=tuple((float(raw), float(share)) for raw, share in data["calibration"]),
    )


def make_empty(intents: Sequence[str], vocabulary: frozenset[str] = frozenset()) -> Weights:
    """Nothing learned yet: this is how learning itself starts."""
    return Weights(bias=(0.0,) * len(intents), vocabulary=vocabulary)


def find_weight_problems(data: Mapping[str, Any], intents: Sequence[str]) -> Iterator[str]:
    """Why a table could not be read: looked for only then, for it is large."""
    for name, form in (("bias", dict), ("evidence", dict), ("vocabulary", str), ("calibration", list)):
        if not isinstance(data.get(name), form):
            yield f"{name!r} is missing or has another form"
            return
    for name, entry in (("bias", data["bias"]), *data["evidence"].items()):
        if not isinstance(entry, dict) or not all(isinstance(weight, int | float) for weight in entry.values()):
            yield f"{name!r} must map intents to numbers"
            continue
        for intent in entry:
            if intent not in intents:
                yield f"{name!r} has a weight for an unknown intent {intent!r}"
    if not data["calibration"] or not all(_is_pair(pair) for pair in data["calibration"]):
        yield "'calibration' must be a list of pairs of numbers"


def _is_pair(pair: object) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, int | float) for each in pair)


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


def _unpack(table: Mapping[str, Mapping[str, float]], intents: Sequence[str]) -> dict[str, Vector]:
    """The file names only intents that an observation speaks about; the rest are zero."""
    place = {intent: position for position, intent in enumerate(intents)}
    unpacked: dict[str, Vector] = {}
    for name, entry in table.items():
        vector = [0.0] * len(intents)
        for intent, weight in entry.items():
            vector[place[intent]] = weight
        unpacked[name] = tuple(vector)
    return unpacked
