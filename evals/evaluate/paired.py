"""Two deciders, or two runs, on the same cases: is one better, or is it chance?

McNemar's exact test looks at the cases on which they differ; a bootstrap over pairs says how large the difference may
be. Both stand beside every difference. Over many slices Holm's correction keeps chance from being found somewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evals.intervals import mcnemar_exact

ALPHA = 0.05
_RESAMPLES = 4_000
_SEED = 7


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """How much more often the second is right than the first, over the cases that both judged."""

    total: int
    only_first: int
    only_second: int
    value: float | None
    """The second's share minus the first's; None without any case."""
    low: float
    high: float
    """95%, by a bootstrap over pairs."""
    p_value: float
    """McNemar's, exact and two-sided."""

    @property
    def is_more_than_noise(self) -> bool:
        return self.p_value < ALPHA


def paired_difference(first: Sequence[bool], second: Sequence[bool]) -> PairedDifference:
    """Whether each case is right, in the same order for both."""
    pairs = list(zip(first, second, strict=True))
    only_first = sum(a and not b for a, b in pairs)
    only_second = sum(b and not a for a, b in pairs)
    return difference_of_counts(only_first, only_second, len(pairs))


def difference_of_counts(only_first: int, only_second: int, total: int) -> PairedDifference:
    if total == 0:
        return PairedDifference(0, 0, 0, None, -1.0, 1.0, 1.0)
    # To draw pairs with replacement is to draw how many of each kind there are: the same numbers, far quicker.
    shares = [only_first / total, only_second / total, (total - only_first - only_second) / total]
    drawn = np.random.default_rng(_SEED).multinomial(total, shares, size=_RESAMPLES)
    differences = (drawn[:, 1] - drawn[:, 0]) / total
    low, high = np.quantile(differences, [0.025, 0.975])
    value = (only_second - only_first) / total
    p_value = mcnemar_exact(only_first, only_second)
    return PairedDifference(total, only_first, only_second, value, float(low), float(high), p_value)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted so that all of them together are wrong no more often than one alone would be. In the given order."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted


def tell_difference(difference: PairedDifference, first: str, second: str) -> str:
    """The difference in a plain sentence."""
    said = _tell(difference, first, second)
    return said[0].upper() + said[1:]


def _tell(difference: PairedDifference, first: str, second: str) -> str:
    cases = f"{difference.total:,} case{'' if difference.total == 1 else 's'}"
    if difference.value is None:
        return "There is no case that both have judged."
    differing = difference.only_first + difference.only_second
    if differing == 0:
        return f"{first} and {second} are right and wrong on the same of {cases}."
    if not difference.is_more_than_noise:
        return (
            f"No difference can be told with {cases}: they differ on {differing}, of which {second} has "
            f"{difference.only_second} right and {first} {difference.only_first} (p {write_p(difference.p_value)})."
        )
    better, worse = (second, first) if difference.value > 0 else (first, second)
    limits = (difference.low, difference.high)
    low, high = limits if difference.value > 0 else (-limits[1], -limits[0])
    return (
        f"{better} is right more often than {worse}, by {100 * abs(difference.value):.1f} points "
        f"(95%: {100 * low:.1f} to {100 * high:.1f}) over {cases} (p {write_p(difference.p_value)})."
    )


def write_p(value: float) -> str:
    """As it stands behind a "p"."""
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"
