"""Two runs side by side: two deciders on the same cases, or one decider before and after a change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evals.intervals import Rate, mcnemar_exact, wilson


@dataclass(frozen=True, slots=True)
class Quadrant:
    """Who is right where, with the ids behind each field."""

    first: str
    second: str
    both: tuple[str, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    neither: tuple[str, ...]
    p_value: float
    """McNemar's exact test on the two middle fields: small means that the difference is hardly chance."""

    @property
    def agreement(self) -> Rate:
        same = len(self.both) + len(self.neither)
        return wilson(same, same + len(self.only_first) + len(self.only_second))


@dataclass(frozen=True, slots=True)
class RunDiff:
    fixed: tuple[str, ...]
    broken: tuple[str, ...]
    added: tuple[str, ...]
    """Only in the later run."""
    gone: tuple[str, ...]
    p_value: float


Rights = Mapping[str, bool]
"""By id: was it right."""


def compare(first: str, first_rights: Rights, second: str, second_rights: Rights) -> Quadrant:
    """Only what both have judged counts."""
    shared = [row_id for row_id in first_rights if row_id in second_rights]
    fields: dict[tuple[bool, bool], list[str]] = {(a, b): [] for a in (True, False) for b in (True, False)}
    for row_id in shared:
        fields[first_rights[row_id], second_rights[row_id]].append(row_id)
    only_first, only_second = fields[True, False], fields[False, True]
    return Quadrant(
        first=first,
        second=second,
        both=tuple(fields[True, True]),
        only_first=tuple(only_first),
        only_second=tuple(only_second),
        neither=tuple(fields[False, False]),
        p_value=mcnemar_exact(len(only_first), len(only_second)),
    )


def diff_runs(before: Rights, after: Rights) -> RunDiff:
    fixed = _ids(row_id for row_id in before if row_id in after and after[row_id] and not before[row_id])
    broken = _ids(row_id for row_id in before if row_id in after and before[row_id] and not after[row_id])
    return RunDiff(
        fixed=fixed,
        broken=broken,
        added=_ids(row_id for row_id in after if row_id not in before),
        gone=_ids(row_id for row_id in before if row_id not in after),
        p_value=mcnemar_exact(len(broken), len(fixed)),
    )


def _ids(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(ids)
