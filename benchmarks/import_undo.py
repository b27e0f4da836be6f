"""`python -m benchmarks.import_undo [ROWS]`: how long an import and its undo take, in all and a task.

The rows are those of a CSV file as people have them, read as on the Tasks page; the store is a file of its own.
"""

from __future__ import annotations

import csv
import io
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from db.audit import Origin, find_redoable, find_undoable
from db.connection import Database
from db.executor import Executor
from db.tasks.bulk import import_tasks
from db.tasks.importing import read_import
from db.users import create_user

ROWS = 5000


def here() -> datetime:
    return datetime.now().astimezone()


def make_file(rows: int) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(("title", "description", "priority", "due_date"))
    for number in range(1, rows + 1):
        level = ("low", "medium", "high")[number % 3]
        writer.writerow((f"Imported task {number}", f"From the old list, page {number // 40}", level, "2026-12-24"))
    return text.getvalue().encode()


def timed(name: str, rows: int, work: Callable[[], object]) -> None:
    began, worked = time.perf_counter(), time.process_time()
    work()
    took, busy = time.perf_counter() - began, time.process_time() - worked
    print(f"{name:<8}{took:8.2f} s ({busy:.2f} s of a core){took / rows * 1000:10.3f} ms a task")


def measure(rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'tasks.db'}")
        with database.write() as session:
            ada = create_user(session, "Ada")
        executor = Executor(database, ada, here)

        def take_back(find: Callable[..., object]) -> None:
            with database.read() as session:
                change = find(session, ada.id)
            result = executor.undo(change.audit_id, Origin("person"))  # type: ignore[attr-defined]
            assert result.payload["count"] == rows, result.payload

        plan = read_import(make_file(rows), "tasks.csv")
        timed("import", rows, lambda: import_tasks(database, ada, plan.rows, here))
        timed("undo", rows, lambda: take_back(find_undoable))
        timed("redo", rows, lambda: take_back(find_redoable))


if __name__ == "__main__":
    measure(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
