"""An import that is killed, stopped or out of disk leaves nothing, and the next try adds every row once."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from db.connection import Database
from db.failures import StoreUnavailableError
from db.tasks.bulk import import_tasks
from db.tasks.service import Clock
from db.users import User
from tests.rounds import rounds
from tests.security.dying_imports import ROWS

ROOT = Path(__file__).parents[2]
KILLS = rounds(4, 20)


def count(database: Database) -> tuple[int, int, int]:
    with database.read() as session:
        tables = ("tasks", "tool_calls", "words")
        tasks, calls, words = (
            int(session.connection().execute(text(f"SELECT count(*) FROM {table}")).scalar_one()) for table in tables
        )
    return tasks, calls, words


def test_an_import_killed_at_any_point_leaves_nothing_and_is_not_doubled(
    database: Database, database_url: str, ada: User, clock: Clock
) -> None:
    command = [sys.executable, "-m", "tests.security.dying_imports", database_url]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as imports:
        assert imports.stdin
        assert imports.stdout
        for kill in range(KILLS):
            # After so many of the five reports of a thousand rows, the last of which is before the commit.
            imports.stdin.write(f"{kill % 5}\n")
            imports.stdin.flush()
            assert int(imports.stdout.readline()) == signal.SIGKILL
            assert count(database) == (0, 0, 0)
        imports.stdin.close()
    assert import_tasks(database, ada, ROWS, clock).added == len(ROWS)
    assert count(database)[:2] == (len(ROWS), len(ROWS))


def test_an_import_that_somebody_stops_leaves_nothing(database: Database, ada: User, clock: Clock) -> None:
    def stop(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt  # as Streamlit does: nothing that an `except Exception` sees

    with pytest.raises(KeyboardInterrupt):
        import_tasks(database, ada, ROWS, clock, stop)
    assert count(database) == (0, 0, 0)


def test_an_import_that_finds_the_disk_full_leaves_nothing(database: Database, ada: User, clock: Clock) -> None:
    """SQLite refuses to grow the file any further, with the same error."""
    with database.write() as session:
        pages = int(session.connection().exec_driver_sql("PRAGMA page_count").scalar_one())
        session.connection().exec_driver_sql(f"PRAGMA max_page_count = {pages + 20}")
    with pytest.raises(StoreUnavailableError, match="full"):
        import_tasks(database, ada, ROWS, clock)
    assert count(database) == (0, 0, 0)
