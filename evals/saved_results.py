"""Whether a saved case passes: its message in its own context, through a decider."""

from __future__ import annotations

from dataclasses import dataclass

from db.evaluation.cases import SavedCase
from engine.decision import Decider
from evals.cases import read_entry
from evals.runner import run_case
from evals.saved_cases import Label, make_entry


@dataclass(frozen=True, slots=True)
class SavedResult:
    passed: bool
    problems: tuple[str, ...] = ()
    """What is wrong, one line each."""


def run_saved_case(case: SavedCase, decider: Decider) -> SavedResult:
    """A case that can no longer be read, of a domain that changed, does not pass, and says why."""
    try:
        entry = make_entry(Label(case.text, case.context, case.expected, case.digest))
        result = run_case(decider, read_entry(entry, "a saved case", case.domain))
    except (KeyError, ValueError) as error:
        return SavedResult(False, (f"it cannot be read any longer: {error}",))
    return SavedResult(result.passed, result.problems)
