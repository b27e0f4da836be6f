"""Intervals and tests for shares, from the standard library alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Z_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Rate:
    """A figure between 0 and 1 with its 95% interval. `value` is None where there is nothing to count."""

    value: float | None
    low: float
    high: float
    count: int
    """How many of `total`; for figures that are no simple share, the rows behind it."""
    total: int

    def __str__(self) -> str:
        if self.value is None:
            return "n/a"
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def wilson(count: int, total: int) -> Rate:
    """A share with Wilson's interval, which stays honest near 0 and 1 and for few rows."""
    if total == 0:
        return Rate(None, 0.0, 1.0, 0, 0)
    share, z2 = count / total, Z_95**2
    centre = (share + z2 / (2 * total)) / (1 + z2 / total)
    half = Z_95 / (1 + z2 / total) * math.sqrt(share * (1 - share) / total + z2 / (4 * total**2))
    return Rate(share, max(0.0, centre - half), min(1.0, centre + half), count, total)


def f1_rate(true_positives: int, false_positives: int, false_negatives: int) -> Rate:
    """F1 = 2J / (1 + J) where J = TP / (TP + FP + FN) is a share, so J's Wilson interval carries over."""
    union = true_positives + false_positives + false_negatives
    jaccard = wilson(true_positives, union)
    if jaccard.value is None:
        return jaccard
    return Rate(_f1(jaccard.value), _f1(jaccard.low), _f1(jaccard.high), true_positives, union)


def mean_rate(rates: Iterable[Rate]) -> Rate:
    """The unweighted mean of shares (a macro average).

    Its limits combine the distances of each share to its own Wilson limits (the MOVER method).
    """
    known = [(rate, rate.value) for rate in rates if rate.value is not None]
    if not known:
        return Rate(None, 0.0, 1.0, 0, 0)
    mean = sum(value for _, value in known) / len(known)
    below = math.sqrt(sum((value - rate.low) ** 2 for rate, value in known)) / len(known)
    above = math.sqrt(sum((rate.high - value) ** 2 for rate, value in known)) / len(known)
    total = sum(rate.total for rate, _ in known)
    return Rate(mean, max(0.0, mean - below), min(1.0, mean + above), sum(rate.count for rate, _ in known), total)


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """How likely a split at least this uneven is if both deciders were equally good (two-sided, exact)."""
    discordant = only_first + only_second
    if discordant == 0:
        return 1.0
    # Each binomial coefficient from the one before: computing them one by one is slow for thousands of rows.
    ways = summed = 1
    for k in range(min(only_first, only_second)):
        ways = ways * (discordant - k) // (k + 1)
        summed += ways
    return min(1.0, summed / (1 << (discordant - 1)))


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, math.ceil(share * len(ordered)) - 1))]


def _f1(jaccard: float) -> float:
    return 2 * jaccard / (1 + jaccard)
