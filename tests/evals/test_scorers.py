"""Call, broken call and abstention are three outcomes; each aspect is scored on its own."""

from __future__ import annotations

import pytest

from engine.decision import Decision, Pending, Reason
from engine.values import Task, ToolCall, make_call
from evals.case import Case, ExpectedCall, Turn
from evals.scorers import Score, outcome_of, problem_of, read_intent, score_turn

MILK = Task("id-milk", 1, "buy milk")
BREAD = Task("id-bread", 2, "buy bread")
TASKS = (MILK, BREAD)
KEYS = {"milk": MILK.id, "bread": BREAD.id}


def decision(*calls: ToolCall, action: str = "execute", intent: str = "add_task", **more: object) -> Decision:
    return Decision("scripted", action, intent, Reason.MATCHED_RULE, calls, **more)  # type: ignore[arg-type]


def wrong(turn: Turn, made: Decision) -> dict[str, Score]:
    case = Case("case", (turn,), tasks=TASKS, keys=KEYS)
    return {score.aspect: score for score in score_turn(turn, made, case, TASKS) if not score.value}


def test_a_call_that_no_tool_accepts_is_broken_and_no_abstention() -> None:
    assert outcome_of(decision(make_call("add_task", {"title": "x"}, "words"))) == "call"
    assert outcome_of(decision(make_call("add_task", {"title": ""}, "words"))) == "broken"
    assert outcome_of(decision(make_call("add_task", {"title": "x", "colour": "red"}, "words"))) == "broken"
    assert outcome_of(decision(make_call("format_disk", {}, "words"))) == "broken"
    assert outcome_of(decision()) == "broken"
    assert outcome_of(decision(action="reply")) == "abstention"
    assert outcome_of(decision(action="clarify")) == "abstention"


def test_the_problem_of_a_call_names_the_argument() -> None:
    assert problem_of(make_call("list_tasks", {"filter": "old"}, "words")).startswith("filter")
    assert problem_of(make_call("list_tasks", {"limit": 5}, "words")) == ""


def test_a_mere_reply_has_read_nothing_to_do() -> None:
    assert read_intent(decision(action="reply", intent="delete_task")) == "unknown"
    assert read_intent(decision(action="clarify", intent="delete_task")) == "delete_task"


def test_arguments_match_as_a_subset_with_accepted_alternatives() -> None:
    call = make_call("add_task", {"title": "buy  milk", "due_date": "2026-03-02T20:00"}, "words")
    turn = Turn("x", ("add_task",), parameters={"title": ["milk", "buy milk"], "due_date": "2026-03-02*"})
    assert not wrong(turn, decision(call))
    assert "arguments" in wrong(Turn("x", ("add_task",), parameters={"title": "Buy milk"}), decision(call))
    found = wrong(Turn("x", ("add_task",), absent=("due_date",)), decision(call))
    assert found["arguments"].explanation == "expected no due_date"


def test_true_is_not_one() -> None:
    call = make_call("list_tasks", {"limit": 1}, "words")
    assert "arguments" in wrong(Turn("x", ("list_tasks",), parameters={"limit": True}), decision(call))


@pytest.mark.parametrize("identifier", ["id-milk", "#1", "task 1", "Buy Milk"])
def test_the_target_counts_however_it_is_named(identifier: str) -> None:
    call = make_call("complete_task", {"task_identifier": identifier}, "words")
    made = decision(call, intent="complete_task")
    assert not wrong(Turn("x", ("complete_task",), task=("milk",)), made)
    assert wrong(Turn("x", ("complete_task",), task=("bread",)), made)["target"].answer == "buy milk"


def test_a_task_that_came_up_in_the_conversation_is_named_by_its_title() -> None:
    call = make_call("complete_task", {"task_identifier": "id-milk"}, "words")
    assert not wrong(Turn("x", ("complete_task",), task=("new:buy milk",)), decision(call, intent="complete_task"))


def test_the_number_and_order_of_calls_counts() -> None:
    add, show = make_call("add_task", {"title": "x"}, "words"), ToolCall("list_tasks")
    turn = Turn("x", ("add_task",), calls=(ExpectedCall(("add_task",)), ExpectedCall(("list_tasks",))))
    assert not wrong(turn, decision(add, show))
    assert "calls" in wrong(turn, decision(add))
    assert "calls" in wrong(turn, decision(show, add))
    assert "calls" in wrong(Turn("x", ("add_task",)), decision(add, add))


def test_a_question_must_offer_the_tasks_that_may_be_meant() -> None:
    pending = Pending("choose", "complete_task", ToolCall("complete_task"), "task_identifier", (MILK.id,))
    made = decision(action="clarify", intent="complete_task", pending=pending)
    assert not wrong(Turn("x", ("complete_task",), options=("milk",)), made)
    assert wrong(Turn("x", ("complete_task",), options=("milk", "bread")), made)["options"].explanation == (
        "expected bread"
    )


def test_every_aspect_that_is_wrong_is_told() -> None:
    turn = Turn("x", ("delete_task",), action=("confirm",), reason=(Reason.DESTRUCTIVE,))
    assert set(wrong(turn, decision(action="reply"))) == {"intent", "action", "reason"}
