"""What a line of a comparison should come to: read from cells and JSON, and held against decisions."""

from __future__ import annotations

from datetime import datetime

import pytest

from domains.deciders import make_engine
from domains.tasks.baseline.decider import BaselineDecider
from engine.decision import Context
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from evals.answers import read_answer
from evals.expecting import ExpectationError, judge_expected, read_expected
from evals.line_files import Line, read_lines
from evals.side_by_side import judge

TASKS = MemoryIndex([Task("a", 1, "Buy bread"), Task("b", 2, "Renew passport")])
CONTEXT = Context(tasks=TASKS, now=datetime(2026, 3, 4, 10), language="en")  # noqa: DTZ001


@pytest.mark.parametrize("said", ["add_task", "Add a task", " ADD  a TASK ", {"intent": "add_task"}])
def test_an_expectation_is_an_intent_its_tool_or_its_label(said: object) -> None:
    assert read_expected(said, "tasks") == {"intent": "add_task"}


def test_nothing_can_be_expected_and_nothing_need_be() -> None:
    assert read_expected("nothing", "tasks") == {"intent": "unknown"}
    assert read_expected("", "tasks") is None
    assert read_expected("Command a machine", "machines") == {"intent": "run_command"}


@pytest.mark.parametrize("said", ["fly", 7, {"tool": "x"}, {"intent": "fly"}, {"intent": "add_task", "task": {"a": 1}}])
def test_what_is_no_expectation_is_told(said: object) -> None:
    with pytest.raises(ExpectationError):
        read_expected(said, "tasks")


def test_a_column_says_what_is_expected_and_a_bad_cell_is_told_by_its_line() -> None:
    lines = read_lines("message,expected\nbuy milk,Add a task\nhello,nothing\nbye,fly\nwell,\n", "csv")
    assert [(line.text, line.expected) for line in lines.found] == [
        ("buy milk", {"intent": "add_task"}),
        ("hello", {"intent": "unknown"}),
        ("well", None),
    ]
    assert lines.problems[0].startswith("line 4: “fly” is nothing that could be expected")


def test_pasted_cells_are_told_from_a_message_with_a_tab() -> None:
    pasted = read_lines("buy milk\tadd_task\nwrite: a\tb\n", "text").found
    assert [(line.text, line.expected) for line in pasted] == [
        ("buy milk", {"intent": "add_task"}),
        ("write: a\tb", None),
    ]


def test_a_json_line_may_expect_values_and_a_task() -> None:
    (line,) = read_lines('{"text": "x", "expected": {"intent": "complete_task", "task": "b"}}\n', "jsonl").found
    decision = make_engine().decide("mark renew passport as done", CONTEXT)
    assert line.expected is not None
    assert line.context is None
    assert judge_expected(line.expected, "x", decision, CONTEXT, "tasks") == ()
    other = {**line.expected, "task": "a"}
    assert judge_expected(other, "x", decision, CONTEXT, "tasks")[0].startswith("target: Renew passport, expected a")


def test_a_question_is_not_the_call_that_is_expected() -> None:
    text = "mark the passport task as done"
    engine, baseline = (each.decide(text, CONTEXT) for each in (make_engine(), BaselineDecider()))
    assert (engine.action, baseline.action) == ("execute", "clarify")
    expected = {"intent": "complete_task"}
    assert judge_expected(expected, text, engine, CONTEXT, "tasks") == ()
    assert judge_expected(expected, text, baseline, CONTEXT, "tasks") == ("action: clarify, expected a call",)
    asked = {**expected, "action": "clarify"}
    assert judge_expected(asked, text, baseline, CONTEXT, "tasks") == (), "where a case wants a question, it is right"


def test_two_deciders_that_are_wrong_alike_are_both_wrong() -> None:
    text = "show my tasks"
    answers = [read_answer(each.decide(text, CONTEXT), 1.0) for each in (make_engine(), BaselineDecider())]
    line = judge(Line(1, text, expected={"intent": "delete_task"}), answers, CONTEXT)
    assert line.answers[1]["standing"] == "agree"
    assert line.wrong is True
    assert all(answer["wrong"] for answer in line.answers)
    assert judge(Line(1, text), answers, CONTEXT).wrong is None
