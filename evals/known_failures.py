"""The list of cases that the engine does not pass yet: which are new, which pass by now, and a fresh list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from evals.runner import CaseResult
from evals.yaml_lines import CaseFileError, load_yaml

FILE_NAME = "known_failures.yaml"
NOT_LOOKED_INTO = "not looked into yet"
"""The cause of a case that came onto the list by itself. A test turns red until somebody has found a better one."""
_HEAD = """\
# Cases that the engine does not pass yet, under the cause that they share, each with what was seen at the last run.
# They are tests that must fail: one that starts to pass turns red until it is taken off this list.
# `python -m evals --update-known-failures` writes it anew: it keeps the causes and puts new cases under
# "not looked into yet", which turns red until a cause stands there.
"""
_SEEN_LENGTH = 160


@dataclass(frozen=True, slots=True)
class FailureStanding:
    """How a run stands to the list."""

    known: tuple[str, ...]
    """Fail, as the list says."""
    new: tuple[str, ...]
    """Fail, and the list does not say so."""
    passing: tuple[str, ...]
    """Are on the list and pass: take them off."""


def stand(results: Iterable[CaseResult], listed: Mapping[str, str]) -> FailureStanding:
    failing = {result.case.id: not result.passed for result in results}
    return FailureStanding(
        known=tuple(case_id for case_id, fails in failing.items() if fails and case_id in listed),
        new=tuple(case_id for case_id, fails in failing.items() if fails and case_id not in listed),
        passing=tuple(case_id for case_id, fails in failing.items() if not fails and case_id in listed),
    )


def load_causes(path: Path) -> dict[str, str]:
    """The cause of each case on the list, by id; none where there is no list."""
    causes: dict[str, str] = {}
    for cause, cases in load_yaml(path).items() if path.exists() else ():
        if not isinstance(cases, Mapping):
            raise CaseFileError(path, 1, f"{cause!r} must hold cases, each with what was seen")
        if twice := causes.keys() & cases.keys():
            raise CaseFileError(path, 1, f"{min(twice)} has two causes")
        causes |= dict.fromkeys(cases, cause)
    return causes


def write_known_failures(folder: Path, results: Iterable[CaseResult], listed: Mapping[str, str]) -> Path:
    """Keeps the causes that people wrote, in their order; a new case has none yet."""
    seen: dict[str, dict[str, str]] = {cause: {} for cause in (*listed.values(), NOT_LOOKED_INTO)}
    for result in results:
        if not result.passed:
            cause = listed.get(result.case.id, NOT_LOOKED_INTO)
            seen[cause][result.case.id] = "; ".join(result.problems)[:_SEEN_LENGTH]
    kept = {cause: cases for cause, cases in seen.items() if cases}
    path = folder / FILE_NAME
    path.write_text(_HEAD + yaml.safe_dump(kept, sort_keys=False, allow_unicode=True, width=1000), encoding="utf-8")
    return path
