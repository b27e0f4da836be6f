"""Of a test in another process of the run, what failed, what was left out and what took long is told."""

from __future__ import annotations

from typing import Literal

import pytest

from tests.reports import LONG_SECONDS, is_told


@pytest.mark.parametrize("when", ["setup", "call", "teardown"])
@pytest.mark.parametrize("outcome", ["failed", "skipped"])
def test_what_did_not_pass_is_told_wherever_it_happened(
    when: Literal["setup", "call", "teardown"], outcome: Literal["failed", "skipped"]
) -> None:
    assert is_told(report(when, outcome, 0.0))


@pytest.mark.parametrize(
    ("when", "seconds", "told"),
    [
        ("setup", 0.0, False),
        ("teardown", 0.0, False),
        ("setup", LONG_SECONDS, True),
        ("teardown", LONG_SECONDS, True),
        ("call", 0.0, True),
    ],
)
def test_of_what_passed_the_test_itself_is_told_and_what_took_long(
    when: Literal["setup", "call", "teardown"], seconds: float, told: bool
) -> None:
    assert is_told(report(when, "passed", seconds)) is told


def report(
    when: Literal["setup", "call", "teardown"], outcome: Literal["passed", "failed", "skipped"], seconds: float
) -> pytest.TestReport:
    return pytest.TestReport("a::b", ("a", 1, "b"), {}, outcome, None, when, duration=seconds)
