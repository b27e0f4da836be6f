"""What is said about a case and what a decider made of it."""

from __future__ import annotations

import pytest

from evals.evaluate.own_files import read_own_file
from evals.intervals import wilson
from ui.evaluate.messages import expected_of
from ui.evaluate.tables import show_rate
from ui.problem_words import tell_problem


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        ("action: clarify, expected execute or confirm", "action: asks back, expected acts or asks for a yes"),
        ("intent: unknown, expected add_task", "intent: “Nothing to do”, expected “Add a task”"),
        ("reason: matched_rule, expected hypothetical", "reason: the rules match, expected it is only an “if”"),
        ("arguments: title='execute', due_date='2026-03-06'", "arguments: title “execute”, due date Fri 6 Mar 2026"),
        ("TimeoutError: no answer", "TimeoutError: no answer"),
        ("", ""),
    ],
)
def test_problems_are_told_in_the_words_of_the_page(problem: str, told: str) -> None:
    assert tell_problem(problem) == told


def test_what_a_case_expects_is_told_beside_its_intent() -> None:
    line = (
        '{"text": "finish the passport", "tool": "complete_task", "target": "p", "action": "confirm",'
        ' "tasks": [{"id": "p", "number": 3, "title": "Renew passport"}]}'
    )
    (case,) = read_own_file(line, "own.jsonl").cases
    assert expected_of(case) == [("on", "Renew passport"), ("and", "asks for a yes")]


def test_a_share_of_nothing_is_no_figure() -> None:
    shown = show_rate(wilson(0, 0))
    assert not shown.known
    assert shown.share == "–"
    assert show_rate(wilson(1, 4)).of == "1 of 4"
