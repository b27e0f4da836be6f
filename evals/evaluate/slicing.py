"""Figures of the parts of a set. Small parts are shown and marked, and nothing is made of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from db.evaluation.run_values import ScoredCase
from evals.evaluate.slices import SLICE_WORDS
from evals.intervals import Rate, wilson

SMALL = 20
"""With fewer cases a slice is not judged."""
Slices = Mapping[int, Mapping[str, tuple[str, ...]]]
"""position -> name -> values, as `db.evaluation.sets.load_slices` has them."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SliceFigures:
    name: str
    value: str
    right: Rate
    verdicts: dict[str, int]
    """How many cases of each verdict."""

    @property
    def small(self) -> bool:
        return self.right.total < SMALL


def make_slices(rows: Sequence[ScoredCase], slices: Slices) -> tuple[SliceFigures, ...]:
    groups = slice_keys([(row.position, row) for row in rows], slices)
    return tuple(_figures(name, value, members) for (name, value), members in groups.items())


def _figures(name: str, value: str, rows: Sequence[ScoredCase]) -> SliceFigures:
    verdicts: defaultdict[str, int] = defaultdict(int)
    for row in rows:
        verdicts[row.verdict] += 1
    return SliceFigures(name, value, wilson(sum(row.passed for row in rows), len(rows)), dict(verdicts))


def slice_keys(members: Iterable[tuple[int, T]], slices: Slices) -> dict[tuple[str, str], list[T]]:
    """The members of each slice, by name and value; in the order of the names, the largest slice first. What every case
    has in common is no slice."""
    found: defaultdict[tuple[str, str], list[T]] = defaultdict(list)
    total = 0
    for position, member in members:
        total += 1
        for name, values in slices.get(position, {}).items():
            for value in values:
                found[name, value].append(member)
    kept = [(key, some) for key, some in found.items() if len(some) < total]
    return dict(sorted(kept, key=lambda each: (_place(each[0][0]), -len(each[1]), each[0])))


def _place(name: str) -> int:
    order = list(SLICE_WORDS)
    return order.index(name) if name in order else len(order)
