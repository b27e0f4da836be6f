"""The benchmark's sets: as many cases as asked for, the messages no two alike, ours as they are."""

from __future__ import annotations

from benchmarks.evaluate import ENGINE, make_messages, repeat_ours
from evals.evaluate.direct import judge_all


def test_no_two_messages_are_the_same_case() -> None:
    messages = make_messages(500)
    assert len(messages.cases) == 500
    assert len({case.key for case in messages.cases}) == 500
    assert not any("~" in case.key for case in messages.cases)


def test_what_is_measured_is_work_that_is_done_right() -> None:
    found = judge_all(make_messages(100), ENGINE)
    assert sum(each.passed for each in found) > 90


def test_our_cases_come_as_often_as_needed() -> None:
    ours = repeat_ours(1_500)
    assert [case.position for case in ours.cases] == list(range(1_500))
    assert ours.cases[0].case_id == ours.cases[len({case.case_id for case in ours.cases})].case_id
