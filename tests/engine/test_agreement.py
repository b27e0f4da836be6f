"""Where two lanes agree, and where they do not."""

from __future__ import annotations

import pytest

from engine.decision import Action, Decision, Pending, Reason
from engine.explaining.agreement import Difference, compare
from engine.values import ToolCall, make_call


def decided(*calls: ToolCall, action: Action = "execute", pending: Pending | None = None) -> Decision:
    return Decision("engine", action, "unknown", Reason.MATCHED_RULE, calls=calls, pending=pending)


ADD = make_call("add_task", {"title": "Buy milk", "due_date": "2026-03-05"}, "words")


def test_the_same_calls_agree_whatever_the_case_and_spacing() -> None:
    other = make_call("add_task", {"due_date": "2026-03-05", "title": " buy  MILK"}, "llm")
    assert compare(decided(ADD), decided(other)).kind == "agree"


def test_each_argument_that_differs_is_named() -> None:
    other = make_call("add_task", {"title": "Buy milk", "priority": "high"}, "llm")
    found = compare(decided(ADD), decided(other))
    assert found.kind == "differ"
    assert set(found.differences) == {
        Difference(0, "due_date", "2026-03-05", None),
        Difference(0, "priority", None, "high"),
    }


def test_another_tool_or_a_missing_second_call_is_a_difference() -> None:
    done = make_call("complete_task", {"task_identifier": "a"}, "words")
    assert compare(decided(ADD), decided(done)).differences == (Difference(0, "tool", "add_task", "complete_task"),)
    assert compare(decided(ADD, done), decided(ADD)).differences == (Difference(1, "tool", "complete_task", None),)


def test_asking_first_is_another_decision_than_acting() -> None:
    asks = decided(action="confirm", pending=Pending("confirm", "add_task", ADD))
    assert compare(decided(ADD), asks).differences == (Difference(0, "action", "execute", "confirm"),)


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [((), (), "both_silent"), ((ADD,), (), "second_silent"), ((), (ADD,), "first_silent")],
)
def test_a_lane_that_calls_nothing_is_silent(
    first: tuple[ToolCall, ...], second: tuple[ToolCall, ...], kind: str
) -> None:
    assert compare(decided(*first), decided(*second)).kind == kind
