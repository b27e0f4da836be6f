"""Two runs, or two deciders of one run, on the cases that both have: what was fixed and broken, and in which slices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from db.evaluation.run_values import ScoredCase
from evals.evaluate.paired import (
    ALPHA,
    PairedDifference,
    difference_of_counts,
    holm,
    paired_difference,
    tell_difference,
)
from evals.evaluate.slicing import SMALL, Slices, slice_keys


@dataclass(frozen=True, slots=True)
class SliceComparison:
    name: str
    value: str
    difference: PairedDifference
    adjusted_p: float | None
    """By Holm over the slices that are large enough; None for a small one, which is not judged."""

    @property
    def small(self) -> bool:
        return self.adjusted_p is None

    @property
    def is_more_than_noise(self) -> bool:
        return self.adjusted_p is not None and self.adjusted_p < ALPHA


@dataclass(frozen=True, slots=True)
class RunComparison:
    """The second held against the first: the first is the baseline."""

    first: str
    second: str
    shared: int
    only_first: int
    """Cases that only the first has."""
    only_second: int
    fixed: tuple[str, ...]
    """Keys of cases: wrong in the first, right in the second."""
    broken: tuple[str, ...]
    changed: tuple[str, ...]
    """As right or wrong as before, but decided otherwise."""
    unchanged: tuple[str, ...]
    both: int
    neither: int
    """Right in both, and wrong in both."""
    difference: PairedDifference
    slices: tuple[SliceComparison, ...]
    """In the order of the slices' names, then by size."""

    @property
    def sentence(self) -> str:
        return tell_difference(self.difference, self.first, self.second)

    @property
    def sharing_sentence(self) -> str:
        """Empty where both have the same cases."""
        if not self.only_first and not self.only_second:
            return ""
        return (
            f"The two are not about the same cases: compared on the {self.shared:,} that they share; "
            f"{self.only_first:,} are only in {self.first}, {self.only_second:,} only in {self.second}."
        )


def compare_scored(
    first_name: str,
    first: Sequence[ScoredCase],
    second_name: str,
    second: Sequence[ScoredCase],
    slices: Slices | None = None,
) -> RunComparison:
    """`slices`: of the second's set, by position (`db.evaluation.sets.load_slices`)."""
    before = {row.key: row for row in first}
    pairs = [(before[row.key], row) for row in second if row.key in before]
    names: Mapping[str, list[str]] = {"fixed": [], "broken": [], "changed": [], "unchanged": []}
    for old, new in pairs:
        names[change_of(old, new)].append(new.key)
    rights = [(old.passed, new.passed) for old, new in pairs]
    return RunComparison(
        first=first_name,
        second=second_name,
        shared=len(pairs),
        only_first=len(before) - len(pairs),
        only_second=len(second) - len(pairs),
        fixed=tuple(names["fixed"]),
        broken=tuple(names["broken"]),
        changed=tuple(names["changed"]),
        unchanged=tuple(names["unchanged"]),
        both=sum(old and new for old, new in rights),
        neither=sum(not old and not new for old, new in rights),
        difference=paired_difference([old for old, _ in rights], [new for _, new in rights]),
        slices=tuple(_compare_slices(pairs, slices or {})),
    )


def change_of(old: ScoredCase, new: ScoredCase) -> str:
    if old.passed != new.passed:
        return "fixed" if new.passed else "broken"
    return "unchanged" if old.signature == new.signature else "changed"


def _compare_slices(pairs: Sequence[tuple[ScoredCase, ScoredCase]], slices: Slices) -> list[SliceComparison]:
    groups = slice_keys([(new.position, (old.passed, new.passed)) for old, new in pairs], slices)
    found: list[tuple[str, str, PairedDifference]] = []
    for (name, value), rights in groups.items():
        lost = sum(old and not new for old, new in rights)
        won = sum(new and not old for old, new in rights)
        found.append((name, value, difference_of_counts(lost, won, len(rights))))
    judged = [place for place, (_, _, difference) in enumerate(found) if difference.total >= SMALL]
    adjusted = dict(zip(judged, holm([found[place][2].p_value for place in judged]), strict=True))
    return [
        SliceComparison(name, value, difference, adjusted.get(place))
        for place, (name, value, difference) in enumerate(found)
    ]
