"""The labelled cases, read once in a process: ten test files choose from them."""

from __future__ import annotations

from functools import cache

from evals.case import Case
from evals.cases import load_cases


@cache
def our_cases() -> tuple[Case, ...]:
    return load_cases()
