"""The audit trail: complete, append-only, and the way back from every change."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, select

from db.audit import Origin, find_redoable, find_undoable
from db.connection import Database
from db.executor import Executor
from db.models import AuditRow, TaskRow
from db.tasks.bulk import execute_all
from db.users import User, read_revision
from engine.values import Argument, ErrorKind, Provenance, Span, ToolCall, make_call
from tests.conftest import Call

pytestmark = pytest.mark.both_databases

PERSON = Origin("person")


def trail(database: Database) -> list[AuditRow]:
    with database.read() as session:
        return list(session.exec(select(AuditRow).order_by(col(AuditRow.sequence))))


def stored(database: Database) -> list[dict[str, Any]]:
    with database.read() as session:
        return [row.model_dump() for row in session.exec(select(TaskRow).order_by(col(TaskRow.number)))]


CHANGES: list[tuple[str, dict[str, str]]] = [
    ("add_task", {"title": "Third", "due_date": "2026-03-09T18:30", "description": "with all", "priority": "high"}),
    ("complete_task", {"task_identifier": "#1"}),
    ("delete_task", {"task_identifier": "#1"}),
    ("delete_task", {"task_identifier": "#2"}),
    ("update_task", {"task_identifier": "#1", "new_title": "Other", "new_priority": "low"}),
    ("update_task", {"task_identifier": "#1", "new_due_date": "none"}),
    ("update_task", {"task_identifier": "#2", "new_status": "pending"}),
]


@pytest.fixture
def stocked(call: Call) -> Call:
    call("add_task", title="First thing", due_date="2026-03-09T18:30", description="details")
    call("add_task", title="Second thing")
    call("complete_task", task_identifier="#2")
    return call


@pytest.mark.parametrize(("tool_name", "arguments"), CHANGES)
def test_undo_and_redo_restore_every_column(
    database: Database, executor: Executor, stocked: Call, tool_name: str, arguments: dict[str, str]
) -> None:
    before = stored(database)
    result = stocked(tool_name, **arguments)
    changed = stored(database)
    assert changed != before
    assert result.audit_id
    assert executor.undo(result.audit_id, PERSON).ok
    assert stored(database) == before
    redo = trail(database)[-1]
    assert redo.undoes == result.audit_id
    assert executor.undo(redo.id, PERSON).ok
    assert stored(database) == changed


def test_a_restored_task_is_found_by_its_words_again(executor: Executor, stocked: Call) -> None:
    deleted = stocked("delete_task", task_identifier="First thing")
    executor.undo(str(deleted.audit_id), PERSON)
    assert stocked("list_tasks", search="first").payload["count"] == 1


def test_a_change_that_was_changed_again_is_not_undone(database: Database, executor: Executor, stocked: Call) -> None:
    first = stocked("update_task", task_identifier="#1", new_title="Other")
    stocked("update_task", task_identifier="#1", new_priority="low")
    before = stored(database)
    result = executor.undo(str(first.audit_id), PERSON)
    assert result.error is ErrorKind.CONFLICT
    assert "Undo the later change first" in result.error_message
    assert stored(database) == before


def test_undoing_twice_is_refused(executor: Executor, stocked: Call) -> None:
    deleted = stocked("delete_task", task_identifier="#1")
    assert executor.undo(str(deleted.audit_id), PERSON).ok
    assert executor.undo(str(deleted.audit_id), PERSON).error is ErrorKind.CONFLICT


def test_a_call_that_changed_nothing_cannot_be_undone(executor: Executor, stocked: Call) -> None:
    assert executor.undo(str(stocked("list_tasks").audit_id), PERSON).error is ErrorKind.NOT_FOUND
    assert executor.undo("no such row", PERSON).error is ErrorKind.NOT_FOUND


def test_nobody_undoes_another_persons_change(database: Database, stocked: Call, bob: User, executor: Executor) -> None:
    deleted = stocked("delete_task", task_identifier="#1")
    theirs = Executor(database, bob, lambda: pytest.fail("the clock is not needed"))
    assert theirs.undo(str(deleted.audit_id), PERSON).error is ErrorKind.NOT_FOUND
    assert stocked("list_tasks").payload["total"] == 1


def test_a_batch_is_undone_as_one_and_redone_as_one(database: Database, executor: Executor, stocked: Call) -> None:
    before = stored(database)
    calls = [make_call("delete_task", {"task_identifier": number}, "person") for number in ("#1", "#2")]
    results = execute_all(executor, calls, "person")
    assert stored(database) == []
    undone = executor.undo(str(results[0].audit_id), PERSON)
    assert undone.payload["count"] == 2
    assert stored(database) == before
    assert executor.undo(trail(database)[-1].id, PERSON).payload["count"] == 2
    assert stored(database) == []


def test_a_batch_with_a_conflict_is_left_whole(database: Database, executor: Executor, stocked: Call) -> None:
    calls = [
        make_call("update_task", {"task_identifier": number, "new_priority": "high"}, "person")
        for number in ("#1", "#2")
    ]
    results = execute_all(executor, calls, "person")
    stocked("update_task", task_identifier="#1", new_title="Meanwhile")
    before = stored(database)
    assert executor.undo(str(results[1].audit_id), PERSON).error is ErrorKind.CONFLICT
    assert stored(database) == before


def test_the_last_change_is_the_latest_that_still_stands(
    database: Database, executor: Executor, stocked: Call, ada: User
) -> None:
    def last() -> tuple[str, str] | None:
        with database.read() as session:
            change = find_undoable(session, ada.id)
        return (change.kind, change.title) if change else None

    def undo_last() -> None:
        with database.read() as session:
            change = find_undoable(session, ada.id)
        assert change
        assert executor.undo(change.audit_id, PERSON).ok

    assert last() == ("completed", "Second thing")
    undo_last()
    assert last() == ("added", "Second thing")
    with database.read() as session:
        redo = find_redoable(session, ada.id)
    assert redo
    assert executor.undo(redo.audit_id, PERSON).ok
    assert last() == ("completed", "Second thing")
    undo_last(), undo_last(), undo_last()
    assert last() is None
    assert stored(database) == []


def test_every_call_is_recorded_with_who_asked_and_where_each_value_comes_from(
    database: Database, executor: Executor
) -> None:
    arguments = (
        Argument("title", "Buy milk", Provenance("words", Span(4, 12))),
        Argument("priority", "medium", Provenance("default")),
    )
    origin = Origin("engine", conversation_id="c1", turn_id="t1")
    result = executor.execute(ToolCall("add_task", arguments), origin)
    row = trail(database)[-1]
    assert (row.id, row.decider, row.conversation_id, row.turn_id) == (result.audit_id, "engine", "c1", "t1")
    assert row.arguments[0] == {
        "name": "title",
        "value": "Buy milk",
        "provenance": {"source": "words", "span": {"start": 4, "end": 12}, "detail": ""},
    }
    assert row.result["title"] == "Buy milk"
    assert row.before is None
    assert row.after is not None
    assert row.after["title"] == "Buy milk"


def test_failures_and_readings_are_recorded_too(database: Database, stocked: Call) -> None:
    stocked("complete_task", task_identifier="nothing")
    stocked("list_tasks")
    failed, listed = trail(database)[-2:]
    assert (failed.error_kind, failed.task_id) == ("not_found", None)
    assert listed.result["task_ids"]
    assert "tasks" not in listed.result


def test_the_sequence_has_no_gaps_and_the_revision_counts_changes(database: Database, stocked: Call, ada: User) -> None:
    stocked("list_tasks")
    stocked("complete_task", task_identifier="#1")
    rows = trail(database)
    assert [row.sequence for row in rows] == list(range(1, len(rows) + 1))
    with database.read() as session:
        assert read_revision(session, ada.id) == sum(row.task_id is not None for row in rows)


@pytest.mark.parametrize("statement", ["UPDATE tool_calls SET decider = 'nobody'", "DELETE FROM tool_calls"])
def test_the_database_refuses_to_change_the_trail(database: Database, stocked: Call, statement: str) -> None:
    before = trail(database)
    with pytest.raises(IntegrityError, match="append-only"), database.write() as session:
        session.connection().execute(text(statement))
    assert trail(database) == before
