"""An import that is killed, stopped or out of disk leaves nothing, and the next try adds every row once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from db.connection import Database
from db.failures import StoreUnavailableError
from db.tasks.bulk import import_tasks
from db.tasks.importing import ImportRow
from db.tasks.service import Clock
from db.users import User

ROOT = Path(__file__).parents[2]
KILLS = 20
ROWS = tuple(ImportRow(number, f"Row {number}", "with words", "low", "pending", None, None) for number in range(1000))

_IMPORT = """
import sys
from datetime import datetime
from db.connection import Database
from db.tasks.bulk import import_tasks
from db.users import find_user
from tests.security.test_half_imports import ROWS
database = Database(sys.argv[1])
with database.read() as session:
    ada = find_user(session, "ada")
def show(share):
    print(share, flush=True)
    sys.stdin.readline()
import_tasks(database, ada, ROWS, lambda: datetime.now().astimezone(), show)
"""


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
    for kill in range(KILLS):
        with subprocess.Popen(
            [sys.executable, "-c", _IMPORT, database_url],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as importing:
            assert importing.stdin
            assert importing.stdout
            for _ in range(kill % 5):  # of the five reports of a thousand rows, the last of which is before the commit
                assert importing.stdout.readline()
                importing.stdin.write("on\n")
                importing.stdin.flush()
            assert importing.stdout.readline()
            importing.kill()
        assert count(database) == (0, 0, 0)
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
