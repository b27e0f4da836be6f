"""Labels that may be wrong: cases where deciders that are sure agree with each other against the label."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from db.evaluation.run_values import ScoredCase

SURE = 0.8
"""From this confidence on a decider is sure; one that states none counts as sure."""
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Suspect:
    key: str
    position: int
    label: str
    """What the case says."""
    instead: str
    """What the deciders agree on: an intent, `asks` or `unknown`."""
    deciders: tuple[str, ...]
    confidence: float | None
    """Of the least sure of them that states one."""


def find_suspects(
    scored: Mapping[str, Sequence[ScoredCase]], settled: Collection[str] = (), sure: float = SURE
) -> tuple[Suspect, ...]:
    """By decider what it made of the cases: of one run, or of several over the same set. The surest come first.

    `settled`: keys of cases about which somebody has said how it is.
    """
    answers: defaultdict[str, list[tuple[str, ScoredCase]]] = defaultdict(list)
    for decider, rows in scored.items():
        for row in rows:
            answers[row.key].append((decider, row))
    looked_at = (_find(key, given, sure) for key, given in answers.items() if key not in settled)
    found = [suspect for suspect in looked_at if suspect]
    return tuple(sorted(found, key=lambda each: (-len(each.deciders), -(each.confidence or 0.0), each.position)))


def _find(key: str, given: Sequence[tuple[str, ScoredCase]], sure: float) -> Suspect | None:
    if any(row.passed for _, row in given):
        return None  # somebody decides as the label says
    against = [(name, row) for name, row in given if row.outcome in ("call", "abstention") and _is_sure(row, sure)]
    alike: defaultdict[str, list[tuple[str, ScoredCase]]] = defaultdict(list)
    for name, row in against:
        # Two wordings of a title are one opinion about what was meant; about a title they are two.
        alike[row.final if row.final != row.label else row.signature].append((name, row))
    most = max(alike.values(), key=len, default=[])
    if len(most) < _FEWEST:
        return None
    stated = [row.confidence for _, row in most if row.confidence is not None]
    first = most[0][1]
    return Suspect(
        key, first.position, first.label, first.final, tuple(name for name, _ in most), min(stated, default=None)
    )


def _is_sure(row: ScoredCase, sure: float) -> bool:
    return row.confidence is None or row.confidence >= sure
