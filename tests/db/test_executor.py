"""Every tool through the executor: what succeeds, and every row of the error matrix."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.tasks.service import TaskService
from domains.catalogues import load_tools
from engine.values import ErrorKind, ToolCall, make_call
from tests.conftest import NOW, Call

ERRORS: list[tuple[str, dict[str, Any], ErrorKind, str]] = [
    ("add_task", {"title": ""}, ErrorKind.EMPTY_TITLE, "empty"),
    ("add_task", {"title": " \n\t "}, ErrorKind.EMPTY_TITLE, "empty"),
    ("add_task", {"title": "x" * 201}, ErrorKind.TITLE_TOO_LONG, "200"),
    ("add_task", {"title": "x", "description": "y" * 1001}, ErrorKind.DESCRIPTION_TOO_LONG, "1000"),
    ("add_task", {"title": "nul\0byte"}, ErrorKind.INVALID_VALUE, "not text"),
    ("add_task", {"title": "lone \ud800 surrogate"}, ErrorKind.INVALID_VALUE, "not text"),
    ("add_task", {"title": "x", "description": "bell\a"}, ErrorKind.INVALID_VALUE, "not text"),
    ("add_task", {"title": "x", "priority": "urgent"}, ErrorKind.INVALID_VALUE, "low, medium, high"),
    ("add_task", {"title": "x", "due_date": "tomorrow"}, ErrorKind.BAD_DATE, "2026-03-02"),
    ("add_task", {"title": "x", "due_date": "2026-02-30"}, ErrorKind.BAD_DATE, "2026-02-30"),
    ("add_task", {"title": "x", "due_date": "20260302"}, ErrorKind.BAD_DATE, "20260302"),
    ("add_task", {}, ErrorKind.MISSING_ARGUMENT, "'title'"),
    ("add_task", {"title": 7}, ErrorKind.WRONG_TYPE, "'title'"),
    ("add_task", {"title": None}, ErrorKind.WRONG_TYPE, "'title'"),
    ("add_task", {"title": ["a"]}, ErrorKind.WRONG_TYPE, "'title'"),
    ("add_task", {"title": "x", "user_id": "somebody"}, ErrorKind.UNKNOWN_ARGUMENT, "'user_id'"),
    ("list_tasks", {"filter": "everything"}, ErrorKind.INVALID_VALUE, "all, pending, completed, overdue"),
    ("list_tasks", {"priority": "HIGH"}, ErrorKind.INVALID_VALUE, "low, medium, high"),
    ("list_tasks", {"due": "someday"}, ErrorKind.BAD_DATE, "someday"),
    ("list_tasks", {"limit": 0}, ErrorKind.INVALID_VALUE, "'limit'"),
    ("list_tasks", {"limit": "3"}, ErrorKind.WRONG_TYPE, "'limit'"),
    ("list_tasks", {"limit": True}, ErrorKind.WRONG_TYPE, "'limit'"),
    ("list_tasks", {"offset": -1}, ErrorKind.INVALID_VALUE, "'offset'"),
    ("complete_task", {"task_identifier": "xyz"}, ErrorKind.NOT_FOUND, "No task found matching 'xyz'"),
    ("complete_task", {"task_identifier": "buy"}, ErrorKind.SEVERAL_MATCHES, "Multiple tasks match 'buy'"),
    ("complete_task", {"task_identifier": "  "}, ErrorKind.MISSING_ARGUMENT, "empty"),
    ("complete_task", {}, ErrorKind.MISSING_ARGUMENT, "'task_identifier'"),
    ("delete_task", {"task_identifier": "#99"}, ErrorKind.NOT_FOUND, "#99"),
    ("delete_task", {"task_identifier": "buy"}, ErrorKind.SEVERAL_MATCHES, "more specific"),
    ("delete_task", {"task_identifier": "%"}, ErrorKind.NOT_FOUND, "'%'"),
    ("delete_task", {"task_identifier": "buy_milk"}, ErrorKind.NOT_FOUND, "buy_milk"),
    ("delete_task", {"task_identifier": "' OR 1=1 --"}, ErrorKind.NOT_FOUND, "OR 1=1"),
    ("delete_task", {"task_identifier": '" OR "'}, ErrorKind.NOT_FOUND, "OR"),
    ("update_task", {"task_identifier": "#1"}, ErrorKind.NOTHING_TO_CHANGE, "something to change"),
    ("update_task", {"task_identifier": "#1", "new_title": " "}, ErrorKind.EMPTY_TITLE, "empty"),
    ("update_task", {"task_identifier": "#1", "new_status": "done"}, ErrorKind.INVALID_VALUE, "pending, completed"),
    ("update_task", {"task_identifier": "#1", "new_due_date": "soon"}, ErrorKind.BAD_DATE, "soon"),
    ("get_user_info", {"name": "x"}, ErrorKind.UNKNOWN_ARGUMENT, "none"),
    ("drop_tables", {}, ErrorKind.UNKNOWN_TOOL, "add_task"),
    ("", {}, ErrorKind.UNKNOWN_TOOL, "add_task"),
    ("__class__", {}, ErrorKind.UNKNOWN_TOOL, "add_task"),
    ("undo", {}, ErrorKind.UNKNOWN_TOOL, "add_task"),
]


@pytest.fixture
def stocked(call: Call) -> Call:
    call("add_task", title="Buy groceries")
    call("add_task", title="Buy milk", priority="high")
    return call


@pytest.mark.both_databases
@pytest.mark.parametrize(("tool_name", "arguments", "kind", "words"), ERRORS)
def test_a_call_that_cannot_be_done_says_why_and_changes_nothing(
    stocked: Call, tool_name: str, arguments: dict[str, Any], kind: ErrorKind, words: str
) -> None:
    before = stocked("list_tasks").payload
    result = stocked(tool_name, **arguments)
    assert (result.ok, result.error) == (False, kind)
    assert result.payload["status"] == "error"
    assert result.payload["error_kind"] == kind
    assert words in result.error_message
    assert stocked("list_tasks").payload == before


@pytest.mark.both_databases
def test_several_matches_come_with_the_tasks(stocked: Call) -> None:
    suggestions = stocked("complete_task", task_identifier="buy").payload["suggestions"]
    assert {task["title"] for task in suggestions} == {"Buy groceries", "Buy milk"}


@pytest.mark.both_databases
@pytest.mark.parametrize("typo", ["buy grocerys", "groceries buy", "bye groceries", "Buy  grocerie list"])
def test_nothing_found_comes_with_the_nearest_titles(stocked: Call, typo: str) -> None:
    result = stocked("complete_task", task_identifier=typo)
    assert result.error is ErrorKind.NOT_FOUND
    assert result.payload["suggestions"][0]["title"] == "Buy groceries"


@pytest.mark.parametrize(
    "identifier",
    ["#2", "2", "task 2", "TASK-2", "task #2", "Buy milk", "BUY MILK", "  buy   milk ", "milk", "y mil", "'Buy milk'"],
)
def test_a_task_is_found_by_every_kind_of_identifier(stocked: Call, identifier: str) -> None:
    result = stocked("complete_task", task_identifier=identifier)
    assert result.payload["title"] == "Buy milk"
    assert result.payload["completed"] is True


@pytest.mark.both_databases
def test_a_task_is_found_by_its_uuid(stocked: Call) -> None:
    task_id = stocked("add_task", title="Water plants").payload["task_id"]
    assert stocked("delete_task", task_identifier=str(task_id).upper()).payload["task_id"] == task_id


@pytest.mark.both_databases
def test_an_exact_title_wins_over_a_title_that_contains_it(stocked: Call) -> None:
    stocked("add_task", title="Buy milk for the office")
    assert stocked("complete_task", task_identifier="buy milk").payload["number"] == 2


def test_a_number_that_is_also_a_title_is_not_guessed(stocked: Call) -> None:
    stocked("add_task", title="1")
    assert stocked("complete_task", task_identifier="1").error is ErrorKind.SEVERAL_MATCHES


@pytest.mark.both_databases
def test_two_tasks_with_one_title_are_not_guessed_between(stocked: Call) -> None:
    stocked("add_task", title="buy MILK")
    assert stocked("delete_task", task_identifier="Buy milk").error is ErrorKind.SEVERAL_MATCHES


def test_add_gives_the_shape_of_the_specification(call: Call) -> None:
    payload = call("add_task", title="  Call mom ", description="Remember birthday").payload
    assert payload["status"] == "success"
    assert (payload["title"], payload["description"], payload["priority"]) == (
        "Call mom",
        "Remember birthday",
        "medium",
    )
    assert len(str(payload["task_id"])) == 36


@pytest.mark.both_databases
@pytest.mark.parametrize("title", ["x" * 200, "東京" * 100, "🎂", "<b>bold</b>", "'; DROP TABLE tasks; --", "=1+1"])
def test_a_title_is_kept_as_it_was_said(call: Call, title: str) -> None:
    assert call("add_task", title=title).payload["title"] == title
    assert [task["title"] for task in call("list_tasks").payload["tasks"]] == [title]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("2026-03-09", "2026-03-09"),
        ("2026-03-09T18:30", "2026-03-09T18:30"),
        ("2026-03-09 18:30", "2026-03-09T18:30"),
        ("2026-03-09T18:30:15", "2026-03-09T18:30"),
        ("2026-03-09T00:00", "2026-03-09T00:00"),
    ],
)
def test_a_due_date_has_a_day_and_perhaps_a_time(call: Call, said: str, kept: str) -> None:
    assert call("add_task", title="x", due_date=said).payload["due_date"] == kept


@pytest.mark.both_databases
def test_update_changes_what_is_given_and_nothing_else(stocked: Call) -> None:
    payload = stocked(
        "update_task", task_identifier="milk", new_title="Buy oat milk", new_due_date="2026-03-05"
    ).payload
    assert (payload["title"], payload["due_date"], payload["priority"]) == ("Buy oat milk", "2026-03-05", "high")
    payload = stocked("update_task", task_identifier="oat", new_due_date="none", new_description="two").payload
    assert (payload["due_date"], payload["description"]) == (None, "two")
    payload = stocked("update_task", task_identifier="oat", new_description="").payload
    assert payload["description"] == ""


def test_a_completed_task_can_be_reopened(stocked: Call) -> None:
    stocked("complete_task", task_identifier="milk")
    assert stocked("update_task", task_identifier="milk", new_status="pending").payload["completed"] is False


def test_asking_for_what_is_already_so_succeeds_and_says_that_nothing_changed(stocked: Call) -> None:
    assert stocked("complete_task", task_identifier="milk").payload["changed"] is True
    assert stocked("complete_task", task_identifier="milk").payload["changed"] is False


@pytest.mark.both_databases
def test_user_info_names_the_user_and_counts(stocked: Call) -> None:
    stocked("complete_task", task_identifier="milk")
    stocked("add_task", title="Late", due_date="2026-03-03")
    payload = stocked("get_user_info").payload
    assert payload == {"status": "success", "name": "Ada", "handle": "ada", "pending": 2, "completed": 1, "overdue": 1}


def test_every_result_fits_its_published_schema(stocked: Call) -> None:
    for name, arguments in {
        "add_task": {"title": "New"},
        "list_tasks": {},
        "complete_task": {"task_identifier": "#1"},
        "update_task": {"task_identifier": "#1", "new_title": "Other"},
        "delete_task": {"task_identifier": "#1"},
        "get_user_info": {},
    }.items():
        payloads = (stocked(name, **arguments).payload, stocked(name, nonsense=1).payload)
        assert [payload["status"] for payload in payloads] == ["success", "error"]
        for payload in payloads:
            TypeAdapter(load_tools()[name].result).validate_python(payload, strict=True)


def test_a_database_that_is_gone_is_an_error_the_user_can_read(
    database_url: str, database: Database, executor: Executor
) -> None:
    path = Path(database_url.removeprefix("sqlite:///"))
    database.close()
    path.write_bytes(b"this is no database" * 100)
    path.with_name(path.name + "-wal").unlink(missing_ok=True)
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    result = executor.execute(make_call("list_tasks", {}, "person"), Origin("person"))
    assert result.error is ErrorKind.UNAVAILABLE
    assert "Database connection failed" in result.error_message
    assert "try again" in result.error_message


def test_a_locked_database_is_an_error_the_user_can_read(database_url: str, database: Database, ada: Any) -> None:
    impatient = Database(database_url, patience_seconds=0.1)
    other = sqlite3.connect(database_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        result = Executor(impatient, ada, lambda: NOW).execute(
            make_call("add_task", {"title": "x"}, "person"), Origin("person")
        )
    finally:
        other.execute("ROLLBACK")
        other.close()
        impatient.close()
    assert result.error is ErrorKind.UNAVAILABLE
    assert "busy" in result.error_message
    assert "locked" not in result.error_message


@pytest.mark.both_databases
def test_a_bug_leaves_nothing_half_done_and_tells_nobody_its_details(
    call: Call, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    create = TaskService.create

    def create_then_break(self: TaskService, *args: Any, **kwargs: Any) -> Any:
        create(self, *args, **kwargs)
        raise RuntimeError("secret detail")

    with monkeypatch.context() as patch:
        patch.setattr(TaskService, "create", create_then_break)
        result = call("add_task", title="half done")
    assert result.error is ErrorKind.INTERNAL
    assert "secret" not in str(result.payload)
    assert "secret detail" in caplog.text
    assert call("list_tasks").payload["total"] == 0


@pytest.mark.both_databases
def test_hostile_argument_values_are_refused_and_recorded(executor: Executor, call: Call) -> None:
    hostile = make_call("add_task", {"title": {"$gt": ""}, "description": "x" * 1_000_000}, "llm")
    assert executor.execute(hostile, Origin("llm")).error is ErrorKind.WRONG_TYPE
    assert executor.execute(ToolCall("x" * 100_000), Origin("llm")).error is ErrorKind.UNKNOWN_TOOL
    assert call("list_tasks").payload["total"] == 0
