"""Several things that were just shown, one that a message names before it says what changes, and why it does."""

from __future__ import annotations

from datetime import datetime

import pytest

from domains.deciders import make_engine
from engine.decision import Context, Decision, Message, Pending
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call

NOW = datetime(2026, 3, 2, 9)  # noqa: DTZ001 - a wall clock, as the Context has it
_TASKS = (
    Task("1", 1, "Replace the bulb in Room 6", priority="low"),
    Task("2", 2, "Cut the hedges", priority="low"),
    Task("3", 3, "Review paper for Ecology Letters", due_date="2026-03-06"),
    Task("4", 4, "Lab meeting slides", due_date="2026-03-05T15:00"),
    Task("5", 5, "Accogliere la famiglia Keller", due_date="2026-03-07T16:00"),
    Task("6", 6, "Collegio docenti", due_date="2026-03-04"),
    Task("7", 7, "Comprare penne rosse"),
)
_LISTED = Message("user", "…"), Message("assistant", "…", ("1", "2"), (make_call("list_tasks", {}, "rules"),))
_CALL = make_call("update_task", {"task_identifier": "4", "new_due_date": "2026-03-05T15:00"}, "rules")
_MOVED = Message("user", "…"), Message("assistant", "…", ("4",), (_CALL,))


def decide(text: str, history: tuple[Message, ...], language: str = "en") -> Decision:
    return make_engine().decide(text, Context(MemoryIndex(_TASKS), NOW, history, language=language))


def calls(decision: Decision) -> list[tuple[str, dict[str, object]]]:
    return [(call.tool_name, dict(call.parameters)) for call in decision.calls]


@pytest.mark.parametrize(
    ("text", "tool", "value"),
    [
        ("make those two high", "update_task", {"new_priority": "high"}),
        ("tick both off", "complete_task", {}),
        ("move them both to friday", "update_task", {"new_due_date": "2026-03-06"}),
    ],
)
def test_both_of_what_was_listed(text: str, tool: str, value: dict[str, object]) -> None:
    assert calls(decide(text, _LISTED)) == [(tool, {"task_identifier": each, **value}) for each in ("1", "2")]


def test_both_are_asked_about_before_they_are_deleted() -> None:
    decision = decide("get rid of those two", _LISTED)
    assert decision.action in ("clarify", "confirm")
    assert decision.pending
    asked = (decision.pending.call, *decision.pending.then)
    assert [call.parameters["task_identifier"] for call in asked if call] == ["1", "2"]


def test_what_is_only_like_a_name_is_not_deleted_with_what_is_named() -> None:
    decision = decide("cancella le penne rosse, me le ha date la collega", (), "it")
    assert decision.action == "confirm"
    assert decision.pending
    assert decision.pending.then == ()


@pytest.mark.parametrize(
    ("language", "text", "task", "due"),
    [
        ("it", "i Keller arrivano prima, alle 14", "5", "2026-03-07T14:00"),
        ("en", "the review got an extension, it's now due on the 20th", "3", "2026-03-20"),
        ("en", "there's a storm, so the hedges must wait. Let's say Saturday 14 March.", "2", "2026-03-14"),
    ],
)
def test_what_a_message_names_is_changed_and_not_what_was_spoken_of(
    language: str, text: str, task: str, due: str
) -> None:
    assert calls(decide(text, _MOVED, language)) == [("update_task", {"task_identifier": task, "new_due_date": due})]


def test_what_is_named_as_the_reason_is_not_changed() -> None:
    decision = decide("no, make it friday, thursday I have the review", _MOVED)
    wanted = {"task_identifier": "4", "new_due_date": "2026-03-06T15:00"}
    assert calls(decision) == [("update_task", wanted)]
    assert all(each.task_id != "3" for each in decide("no wait friday, thursday I have the review", _MOVED).references)


@pytest.mark.parametrize("text", ["whats not done yet", "what isn't done", "what have I not finished yet?"])
def test_what_is_left_is_listed(text: str) -> None:
    assert calls(decide(text, ())) == [("list_tasks", {"filter": "pending"})]


def test_all_that_one_thing_is_about_is_one_thing() -> None:
    assert calls(decide("I've cut all the hedges", ())) == [("complete_task", {"task_identifier": "2"})]


@pytest.mark.parametrize("text", ["mark all tasks as done", "complete all"])
def test_all_there_is_to_do_is_asked_about(text: str) -> None:
    assert decide(text, ()).action == "clarify"


@pytest.mark.parametrize(
    ("language", "text"), [("en", "add one more thing for friday"), ("it", "Vorrei aggiungere una cosa per lunedì")]
)
def test_something_that_is_not_named_yet_is_asked_for(language: str, text: str) -> None:
    decision = decide(text, (), language)
    assert decision.action == "clarify"
    assert decision.pending
    assert decision.pending.parameter == "title"


def test_something_else_is_no_answer_to_which_one() -> None:
    call = make_call("complete_task", {}, "rules")
    asked = Pending("choose", "complete_task", call, "task_identifier", ("1", "2"))
    context = Context(MemoryIndex(_TASKS), NOW, _LISTED, asked, language="en")
    found = calls(make_engine().decide("set the hedges to high", context))
    assert found == [("update_task", {"task_identifier": "2", "new_priority": "high"})]


def test_how_many_of_something_is_no_hour() -> None:
    found = calls(decide("I must also ask the milkman for two extra pints", _MOVED))
    assert found == [("add_task", {"title": "ask the milkman for two extra pints"})]
