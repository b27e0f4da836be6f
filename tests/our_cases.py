"""The labelled cases, read once in a process: ten test files choose from them; and decided once, for those that look
at what the engine makes of all of them."""

from __future__ import annotations

from functools import cache

from domains.deciders import load_decider
from evals.case import Case
from evals.cases import load_cases
from evals.runner import CaseResult, run_case


@cache
def our_cases() -> tuple[Case, ...]:
    return load_cases()


_decided: dict[str, CaseResult] = {}


def decided(case: Case) -> CaseResult:
    """One of our own, by the engine as it is."""
    if case.id not in _decided:
        _decided[case.id] = run_case(load_decider(), case)
    return _decided[case.id]
