"""What a wide edit will come to, while most of what it may touch is still to be looked at.

The likeliest messages come first: those that say the words themselves, and then those that have them only around them,
in a title or in what was said before, of which some are looked at early. Among each of the two the order is as good as
chance, so what was seen of them says how many more there will be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

_SURE = 1.96
"""Standard errors within which it lies nineteen times of twenty."""
_FEWEST = 60
"""Fewer messages than these say nothing about the rest."""


@dataclass(slots=True)
class _Group:
    size: int
    looked: int = 0
    found: int = 0


@dataclass(slots=True)
class EffectOutlook:
    """Filled by one thread and read by another: a look in between is off by one message."""

    groups: list[_Group] = field(default_factory=list)

    def begin(self, sizes: Sequence[int]) -> None:
        self.groups = [_Group(size) for size in sizes]

    def count(self, group: int, *, found: bool) -> None:
        """A message of this group was looked at."""
        self.groups[group].looked += 1
        self.groups[group].found += found

    @property
    def more(self) -> tuple[int, int] | None:
        """How many more are decided otherwise, from … to; None while nobody can say."""
        if not self.groups:
            return None  # it has not begun
        low = high = 0.0
        for group in self.groups:
            left = group.size - group.looked
            if left <= 0:
                continue
            if group.looked < _FEWEST:
                return None
            least, most = _bounds(group.found, group.looked, left / group.size)
            low, high = low + left * least, high + left * most
        return math.floor(low), math.ceil(high)


def _bounds(found: int, looked: int, left: float) -> tuple[float, float]:
    """Of what share it is true (Wilson), narrower where little is left."""
    share, square = found / looked, _SURE * _SURE
    middle = (share + square / (2 * looked)) / (1 + square / looked)
    spread = math.sqrt(share * (1 - share) / looked + square / (4 * looked * looked))
    # What is left varies by itself, too.
    beyond = 1 + left
    around = _SURE * math.sqrt(beyond) * spread / (1 + square / looked)
    return max(0.0, middle - around), min(1.0, middle + around)
