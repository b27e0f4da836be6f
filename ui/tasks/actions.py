"""What the buttons of the Tasks page do: each runs tool calls like any lane would, and leaves a notice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.taking_back import PERSON
from db.audit import Origin, RecordedChange, find_redoable, find_undoable
from db.seed import seed_user
from db.tasks.bulk import execute_all
from db.tasks.listing import TaskQuery
from db.tasks.service import TaskService
from db.users import User, read_revision
from domains.tasks.calls import adding, completing, deleting
from engine.text.visible import show_controls
from engine.values import Task, ToolCall, ToolResult
from ui.resources import load_database, make_executor, now_here
from ui.state.notices import put_notice
from ui.state.tasks import drop_view, keep_places, read_edits, read_view
from ui.state.values import Notice
from ui.tasks.rows import calls_for_edits, find_edit_problem


def apply_edits(user: User, tasks: Sequence[Task], table_key: str) -> None:
    """Carry out what was typed into the table. The rows keep their places until something else changes."""
    edits = read_edits(table_key)
    problem = find_edit_problem(tasks, edits)
    if problem:
        put_notice(Notice("error", problem))
        drop_view()
        return
    calls = calls_for_edits(tasks, edits)
    if not calls:
        return
    results = execute_all(make_executor(user), calls, PERSON)
    failed = [result for result in results if not result.ok]
    if failed:
        put_notice(Notice("error", failed[0].error_message))
        drop_view()
        return
    put_notice(None)
    view = read_view()
    with load_database().read() as session:
        revision = read_revision(session, user.id)
    if view and revision == view.revision + sum(bool(result.payload.get("changed")) for result in results):
        keep_places(revision)


def add(user: User, title: str, description: str, priority: str, due_date: str | None) -> ToolResult:
    result = make_executor(user).execute(adding(title, description, priority, due_date), Origin(PERSON))
    if result.ok:
        _report(f"Added #{result.payload['number']} {result.payload['title']}")
    return result


def complete_picked(user: User, tasks: Sequence[Task]) -> None:
    _run_all(user, [completing(task.id) for task in tasks], "Completed")


def delete_picked(user: User, tasks: Sequence[Task]) -> None:
    _run_all(user, [deleting(task.id) for task in tasks], "Deleted")


def undo_last(user: User) -> None:
    """Looked up when the button is pressed: one drawn a moment before an edit was saved would name an older change."""
    with load_database().read() as session:
        change = find_undoable(session, user.id)
    _take_back(user, change, "Undone")


def redo_last(user: User) -> None:
    with load_database().read() as session:
        change = find_redoable(session, user.id)
    _take_back(user, change, "Done again")


def read_all(user: User, query: TaskQuery) -> tuple[Task, ...]:
    """Every task of the query, whatever page is shown."""
    with load_database().read() as session:
        return TaskService(session, user, now_here).find_all(replace(query, limit=None, offset=0))


def load_demo_tasks(user: User) -> None:
    seed_user(load_database(), user, now_here)
    _report("The demo tasks are here, dated from today. Your own tasks are as they were.")


def describe_change(change: RecordedChange) -> str:
    if change.count > 1:
        return f"{change.count} tasks {change.kind}"
    return f"#{change.number} {show_controls(change.title)} ({change.kind})"


def _run_all(user: User, calls: Sequence[ToolCall], verb: str) -> None:
    results = execute_all(make_executor(user), calls, PERSON)
    done = [result for result in results if result.ok]
    failed = [result for result in results if not result.ok]
    if failed:
        _complain(failed[0])
    elif len(done) == 1:
        _report(f"{verb} #{done[0].payload['number']} {done[0].payload['title']}")
    else:
        _report(f"{verb} {len(done)} tasks")


def _take_back(user: User, change: RecordedChange | None, done: str) -> None:
    if change is None:
        put_notice(Notice("error", "There is nothing left to take back."))
        return
    result = make_executor(user).undo(change.audit_id, Origin(PERSON))
    _report(f"{done}: {describe_change(change)}") if result.ok else _complain(result)


def _report(text: str) -> None:
    put_notice(Notice("success", text))
    drop_view()


def _complain(result: ToolResult) -> None:
    put_notice(Notice("error", result.error_message))
    drop_view()
