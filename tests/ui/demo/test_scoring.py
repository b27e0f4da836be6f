"""What counts as right, wrong and asked, and what a lane's score is."""

from __future__ import annotations

from datetime import date

import pytest

from engine.decision import Action, Decision, Pending, Reason
from engine.values import ToolCall, make_call
from ui.demo.judging import Judge, LaneMark, describe_right
from ui.demo.scoring import JudgedLane, score_lane
from ui.demo.script import Right, ScenarioStep

TODAY = date(2026, 3, 4)  # a Wednesday
JUDGE = Judge({"t1": "Buy milk", "t2": "Pay rent"}, TODAY)


def right(written: object) -> Right:
    return ScenarioStep.model_validate({"say": "x", "note": "y", "right": written}).right


def decision(action: Action, *calls: ToolCall, reason: Reason = Reason.MATCHED_RULE, **more: object) -> Decision:
    return Decision("engine", action, "unknown", reason, calls=calls, **more)  # type: ignore[arg-type]


def add(**arguments: object) -> ToolCall:
    return make_call("add_task", arguments, "words")


def done(task: str) -> ToolCall:
    return make_call("complete_task", {"task_identifier": task}, "words")


def delete(task: str) -> ToolCall:
    return make_call("delete_task", {"task_identifier": task}, "words")


ADD = {"add_task": {"title": "call Anna"}}


@pytest.mark.parametrize(
    ("written", "decided", "mark"),
    [
        ("nothing", decision("reply"), "right"),
        ("nothing", decision("execute", done("t1")), "wrong"),
        ("nothing", decision("clarify"), "asked"),
        (ADD, decision("execute", add(title="Call Anna.", priority="medium")), "right"),
        (ADD, decision("execute", add(title="call Anna tomorrow")), "wrong"),
        (ADD, decision("reply"), "wrong"),
        (ADD, decision("clarify", add(title="Anna")), "asked"),
        (ADD, decision("confirm", delete("t1")), "wrong"),
        (ADD, decision("reply", reason=Reason.UNAVAILABLE), "silent"),
        (ADD, decision("reply", reason=Reason.BROKEN_CALL), "wrong"),
        ({"add_task": {"due_date": None}}, decision("execute", add(title="a")), "right"),
        ({"add_task": {"due_date": None}}, decision("execute", add(title="a", due_date="2026-03-05")), "wrong"),
        ({"add_task": {"due_date": "tomorrow"}}, decision("execute", add(due_date="2026-03-05T15:00")), "right"),
        ({"add_task": {"due_date": "friday"}}, decision("execute", add(due_date="2026-03-06")), "right"),
        ({"add_task": {"due_date": "wednesday"}}, decision("execute", add(due_date="2026-03-11")), "right"),
        ({"add_task": {"due_date": 3}}, decision("execute", add(due_date="2026-03-07")), "right"),
        ({"complete_task": {"task_identifier": "Buy milk"}}, decision("execute", done("t1")), "right"),
        ({"complete_task": {"task_identifier": "Buy milk"}}, decision("execute", done("t2")), "wrong"),
        ([ADD, {"complete_task": {}}], decision("execute", done("t1"), add(title="call Anna")), "right"),
        ([ADD, {"complete_task": {}}], decision("execute", done("t1")), "wrong"),
        (ADD, decision("execute", add(title="call Anna"), done("t1")), "wrong"),
        ("ask", decision("clarify"), "right"),
        ("ask", decision("execute", delete("t1")), "wrong"),
        ({"ask": {"delete_task": {"task_identifier": "Buy milk"}}}, decision("confirm", delete("t1")), "right"),
        ({"ask": {"delete_task": {"task_identifier": "Buy milk"}}}, decision("confirm", delete("t2")), "wrong"),
        ("undo", decision("execute", act="undo"), "right"),
        ("undo", decision("execute", done("t1")), "wrong"),
        ("undo", decision("reply"), "wrong"),
        ("nothing", decision("execute", act="undo"), "wrong"),
    ],
)
def test_what_is_right(written: object, decided: Decision, mark: LaneMark) -> None:
    assert JUDGE.mark(right(written), decided) == mark


def test_a_question_that_waits_is_about_its_call() -> None:
    waiting = Pending(
        "choose", "delete_task", make_call("delete_task", {}, "words"), "task_identifier", ("t1", "t2"), ""
    )
    asked = decision("clarify", pending=waiting)
    assert JUDGE.mark(right({"complete_task": {}}), asked) == "wrong", "it would delete"
    assert JUDGE.mark(right({"delete_task": {}}), asked) == "asked"


def test_a_score_counts_marks_time_and_cost() -> None:
    marks = [
        JudgedLane("right", 10.0, 0.5),
        JudgedLane("wrong", 20.0, 0.25),
        JudgedLane("asked", 5.0, 0.0),
        JudgedLane("silent", 100.0),
    ]
    score = score_lane(marks)
    assert (score.right, score.wrong, score.asked, score.silent, score.messages) == (1, 1, 1, 1, 4)
    assert (score.time, score.time_each, score.cost_words) == ("135 ms", "34 ms", "$0.75")


def test_a_cost_that_is_not_known_is_not_nought_and_a_lane_that_is_off_has_none() -> None:
    assert score_lane([JudgedLane("right", 1.0, None), JudgedLane("right", 1.0, 0.1)]).cost_words == "not known"
    assert score_lane([JudgedLane("right", 1.0, 0.0)]).cost_words == "no cost"
    assert score_lane([JudgedLane("right", 1.0, 0.00004)]).cost_words == "$0.00004"
    off = score_lane([JudgedLane("off"), JudgedLane("off")])
    assert (off.off, off.messages, off.time, off.cost_words) == (True, 0, "–", "–")


def test_what_was_expected_is_said_in_words() -> None:
    assert describe_right(right("nothing")) == "nothing to do"
    assert describe_right(right("undo")) == "take the last change back"
    assert describe_right(right("ask")) == "ask which is meant"
    assert describe_right(right({"ask": {"delete_task": {"task_identifier": "Buy milk"}}})) == (
        "ask first: Delete a task (Buy milk)"
    )
    assert describe_right(right({"add_task": {"title": "call Anna", "due_date": None}})) == "Add a task (call Anna)"
