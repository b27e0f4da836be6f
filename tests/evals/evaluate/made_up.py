"""Results and reports for tests, made up rather than run."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from db.evaluation.run_values import KeptCase, ScoredCase, Severity
from domains.loading import TASKS
from evals.evaluate.data_sets import fingerprint_of
from evals.evaluate.exports.report import RunReport, make_deciders


def key_of(position: int) -> str:
    return hashlib.sha256(str(position).encode()).hexdigest()[:24]


def scored(position: int = 0, *, passed: bool = True, **more: Any) -> ScoredCase:
    """A case that is right, or one whose arguments are wrong, unless more is said."""
    usual: dict[str, Any] = {
        "position": position,
        "key": key_of(position),
        "verdict": "right" if passed else "wrong_arguments",
        "passed": passed,
        "label": "add_task",
        "final": "add_task",
        "behind": "add_task",
        "reading_right": True,
        "action": "execute",
        "outcome": "call",
        "confidence": 0.9,
        "milliseconds": 1.0,
        "signature": f"{'right' if passed else 'wrong'} {position}",
    }
    return ScoredCase(**{**usual, **more})


def kept(position: int, severity: Severity = "normal", **slices: str) -> KeptCase:
    tags = {name: (value,) for name, value in slices.items()}
    return KeptCase(position, key_of(position), f"case-{position}", f"message {position}", "add_task", severity, tags)


def report_of(
    rights: Sequence[bool], *, critical: Sequence[int] = (), created_at: datetime | None = None, name: str = "A run"
) -> RunReport:
    """The engine over so many cases, English and Italian in turns."""
    cases = tuple(
        kept(place, "critical" if place in critical else "normal", language="it" if place % 2 else "en")
        for place in range(len(rights))
    )
    rows = [scored(place, passed=passed) for place, passed in enumerate(rights)]
    deciders = make_deciders(TASKS, cases, [({"kind": "engine", "label": "engine"}, rows)])
    made = created_at or datetime.now(UTC)
    return RunReport(name, TASKS, made, "made up", fingerprint_of(case.key for case in cases), cases, deciders)
