"""Many changes in one go: an import, or several rows selected in the table. Undone together."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from db import audit
from db.audit import Origin, TrailEntry
from db.connection import Database, Session
from db.executor import Executor
from db.tasks.importing import ImportRow
from db.tasks.service import Clock, TaskService
from db.users import User
from engine.values import ToolCall, ToolResult, make_call

_STEP = 200
"""Rows written at once, and between two reports of progress."""
_GIVEN = ("title", "description", "priority", "due_date")


@dataclass(frozen=True, slots=True)
class ImportReport:
    added: int
    already_there: int
    batch_id: str


def import_tasks(
    database: Database,
    user: User,
    rows: Sequence[ImportRow],
    clock: Clock,
    progress: Callable[[float], None] = lambda _share: None,
) -> ImportReport:
    """Add the rows, all of them or none; a task that the file was exported from and that still exists is left alone.

    One transaction, though others' changes wait for it: an import that ends in the middle must not leave rows behind
    that the next try would add again. 10,000 long rows take ten seconds of a core; others wait longer than that.
    """
    origin = Origin("import", batch_id=str(uuid.uuid4()))
    added = 0
    with database.write() as session:
        service = TaskService(session, user, clock)
        for start in range(0, len(rows), _STEP):
            some = rows[start : start + _STEP]
            added += _add(session, service, user, some, origin)
            progress((start + len(some)) / len(rows))
    return ImportReport(added, len(rows) - added, str(origin.batch_id))


def _add(session: Session, service: TaskService, user: User, rows: Sequence[ImportRow], origin: Origin) -> int:
    fresh = [row for row in rows if not (row.id and service.find_by_id(row.id))]
    given = [{name: getattr(row, name) for name in _GIVEN} for row in fresh]
    tasks = service.create_all([{**each, "status": row.status} for each, row in zip(given, fresh, strict=True)])
    entries = (
        [
            TrailEntry(
                make_call("add_task", each, "import"),
                {"status": "success", "task_id": task.id, "title": task.title},
                change=change,
            )
            for each, task, change in zip(given, tasks, service.changes[-len(tasks) :], strict=True)
        ]
        if tasks
        else []
    )
    audit.append_all(session, user.id, origin, entries)
    session.expunge_all()  # written: none of them is looked at again
    return len(tasks)


def execute_all(executor: Executor, calls: Sequence[ToolCall], decider: str) -> list[ToolResult]:
    """Several calls that a person made with one click; one undo takes all of them back."""
    origin = Origin(decider, batch_id=str(uuid.uuid4()) if len(calls) > 1 else None)
    return [executor.execute(call, origin) for call in calls]
