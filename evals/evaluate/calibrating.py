"""Does a stated confidence mean what it says? By its distinct values, with the noise that so few cases make anyway.

`python -m evals` groups by ten bins of equal width; a decider that states three values fills three of them, and one
that is nearly always sure fills the last. Here equal values stay together, and neighbours are joined until a group is
large enough to say something.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt

from db.evaluation.run_values import ScoredCase
from evals.calibration import CoveragePoint, Judged, area_under_risk, coverage_points
from evals.intervals import Rate, wilson

_MOST_GROUPS = 15
_RESAMPLES = 500
_SEED = 7
Floats = npt.NDArray[np.float64]
NOTHING = Rate(None, 0.0, 1.0, 0, 0)


@dataclass(frozen=True, slots=True)
class ConfidenceGroup:
    low: float
    high: float
    """The smallest and largest value in it: the same where one value is its own group."""
    count: int
    confidence: float
    """The mean of what was stated."""
    accuracy: Rate
    """How often it was right."""


@dataclass(frozen=True, slots=True)
class Calibration:
    cases: int
    """With a stated confidence, where something was read."""
    unstated: int
    """Of the others: those where something was read, but no confidence stated."""
    groups: tuple[ConfidenceGroup, ...]
    ece: Rate
    """The mean distance between confidence and accuracy over the groups, with a bootstrap interval."""
    noise_floor: float | None
    """The ECE that a perfectly calibrated decider would have on average with these confidences, by chance alone."""
    noise_limit: float | None
    """What it would exceed once in twenty times."""
    brier: Rate
    """The mean squared distance between confidence and being right, with a bootstrap interval."""
    coverage: tuple[CoveragePoint, ...]
    area_under_risk: float | None

    @property
    def is_miscalibrated(self) -> bool:
        """Whether the error is more than noise."""
        return self.ece.value is not None and self.noise_limit is not None and self.ece.value > self.noise_limit


def calibrate(rows: Iterable[ScoredCase], *, acting: bool = True) -> Calibration:
    """`acting`: only where an intent was read, which is what thresholds are about; otherwise silence counts, too."""
    read = [row for row in rows if row.outcome != "none" and (row.action != "reply" or not acting)]
    judged = [(row.confidence, row.reading_right) for row in read if row.confidence is not None]
    return calibrate_pairs(judged, unstated=len(read) - len(judged))


def calibrate_pairs(judged: Sequence[Judged], unstated: int = 0) -> Calibration:
    if not judged:
        return Calibration(0, unstated, (), NOTHING, None, None, NOTHING, (), None)
    ordered = sorted(judged)
    confidences = np.array([confidence for confidence, _ in ordered], dtype=np.float64)
    rights = np.array([right for _, right in ordered], dtype=np.float64)
    sizes = group_sizes(confidences)
    members = np.repeat(np.arange(len(sizes)), sizes)
    generator = np.random.default_rng(_SEED)
    ece, brier = _resample(confidences, rights, members, generator)
    noise = _noise(confidences, members, generator)
    points = coverage_points(judged)
    return Calibration(
        cases=len(judged),
        unstated=unstated,
        groups=tuple(_make_groups(ordered, sizes)),
        ece=_rate(_ece(confidences - rights, members), ece, len(judged)),
        noise_floor=float(noise.mean()),
        noise_limit=float(np.quantile(noise, 0.95)),
        brier=_rate(float(((confidences - rights) ** 2).mean()), brier, len(judged)),
        coverage=points,
        area_under_risk=area_under_risk(points),
    )


def group_sizes(ordered: Floats) -> list[int]:
    """How many of the sorted confidences each group takes. Equal values stay together."""
    alike = [len(list(group)) for _, group in groupby(ordered.tolist())]
    if len(alike) <= _MOST_GROUPS:
        return alike
    least = len(ordered) / _MOST_GROUPS
    sizes: list[int] = [0]
    for count in alike:
        if sizes[-1] >= least:
            sizes.append(0)
        sizes[-1] += count
    if len(sizes) > 1 and sizes[-1] < least / 2:  # a last group of a few would say nothing
        last = sizes.pop()
        sizes[-1] += last
    return sizes


def _make_groups(ordered: Sequence[Judged], sizes: Sequence[int]) -> Iterable[ConfidenceGroup]:
    start = 0
    for size in sizes:
        members = ordered[start : start + size]
        start += size
        stated = [confidence for confidence, _ in members]
        accuracy = wilson(sum(right for _, right in members), size)
        yield ConfidenceGroup(stated[0], stated[-1], size, sum(stated) / size, accuracy)


def _ece(gaps: Floats, members: npt.NDArray[np.intp]) -> float:
    return float(np.abs(np.bincount(members, weights=gaps)).sum() / len(gaps))


def _resample(
    confidences: Floats, rights: Floats, members: npt.NDArray[np.intp], generator: np.random.Generator
) -> tuple[Floats, Floats]:
    gaps, squares = confidences - rights, (confidences - rights) ** 2
    errors, briers = np.empty(_RESAMPLES), np.empty(_RESAMPLES)
    for turn in range(_RESAMPLES):
        drawn = generator.integers(0, len(gaps), len(gaps))
        errors[turn] = _ece(gaps[drawn], members[drawn])
        briers[turn] = squares[drawn].mean()
    return errors, briers


def _noise(confidences: Floats, members: npt.NDArray[np.intp], generator: np.random.Generator) -> Floats:
    """The ECE of deciders that are right exactly as often as they say."""
    drawn = np.empty(_RESAMPLES)
    for turn in range(_RESAMPLES):
        drawn[turn] = _ece(confidences - (generator.random(len(confidences)) < confidences), members)
    return drawn


def _rate(value: float, resampled: Floats, total: int) -> Rate:
    low, high = np.quantile(resampled, [0.025, 0.975])
    return Rate(value, float(min(low, value)), float(max(high, value)), total, total)
