"""Every labelled case through the engine. A known failure that starts to pass turns red: take it off the list."""

from __future__ import annotations

import pytest

from evals.case import Case
from evals.cases import load_known_failures
from evals.known_failures import NOT_LOOKED_INTO
from tests.our_cases import decided, our_cases

CASES = our_cases()
KNOWN_FAILURES = load_known_failures()
ASPECTS = ("intent:", "action:", "reason:", "arguments:", "calls:", "target:", "options:")


def _parameter(case: Case) -> object:
    why = KNOWN_FAILURES.get(case.id)
    marks = [pytest.mark.xfail(strict=True, reason=why)] if why else []
    return pytest.param(case, id=case.id, marks=marks)


@pytest.mark.parametrize("case", [_parameter(case) for case in CASES])
def test_the_engine_decides_as_a_careful_human_would(case: Case) -> None:
    result = decided(case)
    assert result.passed, f"{case.source} {case.turns[0].text[:80]!r}\n" + "\n".join(result.problems)


def test_every_known_failure_is_a_case() -> None:
    assert set(KNOWN_FAILURES) <= {case.id for case in CASES}


def test_every_known_failure_has_a_cause() -> None:
    """A cause says why the engine cannot do it yet. What was seen is no cause."""
    assert [case_id for case_id, cause in KNOWN_FAILURES.items() if cause == NOT_LOOKED_INTO] == []
    assert [cause for cause in KNOWN_FAILURES.values() if len(cause.split()) < 4 or cause.startswith(ASPECTS)] == []


def test_no_known_failure_deletes() -> None:
    failing = [decided(case) for case in CASES if case.id in KNOWN_FAILURES]
    carried_out = [turn.decision for result in failing for turn in result.turns if turn.decision.action == "execute"]
    assert carried_out
    assert [call for decision in carried_out for call in decision.calls if call.tool_name == "delete_task"] == []
