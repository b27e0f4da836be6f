"""Does the confidence mean what it says? Reliability bins, expected calibration error, risk against coverage.

Two populations, for they answer two questions:

- `acting`: messages in which the decider read an intent other than unknown. Its confidence is that of the
  intent read, and right means that this intent is an accepted one. This is the number that the threshold
  for acting is applied to.
- `all`: every message, silence included: the confidence that the decider states for what it read, unknown
  or not. (Spec 1 gives unknown a confidence of 0, and so does the baseline; that is held against it here.)

A decider that states no confidence (None) is left out: there is nothing to calibrate.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evals.intervals import Rate, wilson
from evals.runner import MessageReading

BINS = 10
_RESAMPLES = 200


@dataclass(frozen=True, slots=True)
class Bin:
    low: float
    high: float
    count: int
    confidence: float
    """The mean of what the decider said."""
    accuracy: Rate
    """How often it was right."""


@dataclass(frozen=True, slots=True)
class Reliability:
    population: str
    bins: tuple[Bin, ...]
    ece: Rate
    """The mean distance between confidence and accuracy over the bins, weighted by their rows."""


@dataclass(frozen=True, slots=True)
class CoveragePoint:
    """If everything below `threshold` were asked about: the share acted on, and how often that is wrong."""

    threshold: float
    coverage: float
    risk: Rate


Judged = tuple[float, bool]
"""The stated chance of being right, and whether it is."""


def reliability(readings: Iterable[MessageReading], population: str = "acting") -> Reliability:
    judged = _judged(readings, population)
    groups: list[list[Judged]] = [[] for _ in range(BINS)]
    for confidence, right in judged:
        groups[_bin_of(confidence)].append((confidence, right))
    bins = tuple(_make_bin(place, group) for place, group in enumerate(groups) if group)
    return Reliability(population, bins, _ece_rate(judged))


def risk_coverage(readings: Iterable[MessageReading]) -> tuple[CoveragePoint, ...]:
    """One point per confidence that occurs among the messages acted on, highest first."""
    return coverage_points(_judged(readings, "acting"))


def coverage_points(judged: Iterable[Judged]) -> tuple[CoveragePoint, ...]:
    judged = sorted(judged, reverse=True)
    points, wrong = [], 0
    for place, (confidence, right) in enumerate(judged, start=1):
        wrong += not right
        if place == len(judged) or judged[place][0] != confidence:
            points.append(CoveragePoint(confidence, place / len(judged), wilson(wrong, place)))
    return tuple(points)


def area_under_risk(points: Sequence[CoveragePoint]) -> float | None:
    """The mean risk over all coverages: lower is better, 0 is perfect."""
    if not points:
        return None
    start = CoveragePoint(1.0, 0.0, points[0].risk)
    steps = pairwise((start, *points))
    return sum((right.coverage - left.coverage) * (right.risk.value or 0.0) for left, right in steps)


def _judged(readings: Iterable[MessageReading], population: str) -> list[Judged]:
    return [
        (reading.confidence, reading.right)
        for reading in readings
        if reading.confidence is not None and (population == "all" or reading.read != "unknown")
    ]


def _bin_of(confidence: float) -> int:
    return min(BINS - 1, max(0, int(confidence * BINS)))


def _make_bin(place: int, group: Sequence[Judged]) -> Bin:
    accuracy = wilson(sum(right for _, right in group), len(group))
    mean = sum(confidence for confidence, _ in group) / len(group)
    return Bin(place / BINS, (place + 1) / BINS, len(group), mean, accuracy)


def _ece_rate(judged: Sequence[Judged]) -> Rate:
    """The error with a bootstrap interval; the seed is fixed, so that two runs print the same."""
    if not judged:
        return Rate(None, 0.0, 1.0, 0, 0)
    cells = [(_bin_of(confidence), confidence - right) for confidence, right in judged]
    generator = random.Random(7)  # noqa: S311 - no secret
    resampled = sorted(_ece(generator.choices(cells, k=len(cells))) for _ in range(_RESAMPLES))
    low, high = resampled[int(_RESAMPLES * 0.025)], resampled[int(_RESAMPLES * 0.975) - 1]
    return Rate(_ece(cells), low, high, len(judged), len(judged))


def _ece(cells: Sequence[tuple[int, float]]) -> float:
    gaps = [0.0] * BINS
    for place, gap in cells:
        gaps[place] += gap
    return sum(abs(gap) for gap in gaps) / len(cells)
