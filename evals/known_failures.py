"""The list of cases that the engine does not pass yet: which are new, which pass by now, and a fresh list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from evals.runner import CaseResult

FILE_NAME = "known_failures.yaml"
_HEAD = """\
# Cases that the engine does not pass yet, with what goes wrong. They are tests that must fail: one that starts to
# pass turns red until it is taken off this list. `python -m evals --update-known-failures` writes it anew.
"""
_CAUSE_LENGTH = 160


@dataclass(frozen=True, slots=True)
class Standing:
    """How a run stands to the list."""

    known: tuple[str, ...]
    """Fail, as the list says."""
    new: tuple[str, ...]
    """Fail, and the list does not say so."""
    passing: tuple[str, ...]
    """Are on the list and pass: take them off."""


def stand(results: Iterable[CaseResult], listed: Mapping[str, str]) -> Standing:
    failing = {result.case.id: not result.passed for result in results}
    return Standing(
        known=tuple(case_id for case_id, fails in failing.items() if fails and case_id in listed),
        new=tuple(case_id for case_id, fails in failing.items() if fails and case_id not in listed),
        passing=tuple(case_id for case_id, fails in failing.items() if not fails and case_id in listed),
    )


def write_known_failures(folder: Path, results: Sequence[CaseResult], listed: Mapping[str, str]) -> Path:
    """Keeps the causes that people wrote; a new entry says what was wrong."""
    causes = {
        result.case.id: listed.get(result.case.id) or "; ".join(result.problems)[:_CAUSE_LENGTH]
        for result in results
        if not result.passed
    }
    body = yaml.safe_dump(causes, sort_keys=False, allow_unicode=True, width=1000) if causes else "{}\n"
    path = folder / FILE_NAME
    path.write_text(_HEAD + body, encoding="utf-8")
    return path
