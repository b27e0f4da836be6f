"""Many changes in one go: an import, or several rows selected in the table. Undone together."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from db import audit
from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.tasks.importing import ImportRow
from db.tasks.service import Clock, TaskService
from db.users import User
from engine.values import ToolCall, ToolResult, make_call

_CHUNK = 200
"""Rows a transaction: other people's changes wait for one chunk, not for the whole file."""


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
    """Add the rows; a task that the file was exported from and that still exists is left alone."""
    origin = Origin("import", batch_id=str(uuid.uuid4()))
    added = 0
    for start in range(0, len(rows), _CHUNK):
        chunk = rows[start : start + _CHUNK]
        with database.write() as session:
            service = TaskService(session, user, clock)
            for row in chunk:
                if row.id and service.find_by_id(row.id):
                    continue
                arguments = {name: getattr(row, name) for name in ("title", "description", "priority", "due_date")}
                task = service.create(**arguments, status=row.status)
                call = make_call("add_task", arguments, "import")
                result = {"status": "success", "task_id": task.id, "title": task.title}
                audit.append(session, user.id, call, origin, result=result, change=service.changes[-1])
                added += 1
        progress(min(1.0, (start + len(chunk)) / len(rows)))
    return ImportReport(added, len(rows) - added, str(origin.batch_id))


def execute_all(executor: Executor, calls: Sequence[ToolCall], decider: str) -> list[ToolResult]:
    """Several calls that a person made with one click; one undo takes all of them back."""
    origin = Origin(decider, batch_id=str(uuid.uuid4()) if len(calls) > 1 else None)
    return [executor.execute(call, origin) for call in calls]
