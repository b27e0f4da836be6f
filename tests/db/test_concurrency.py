"""Many writers at once, and a writer killed in the middle: nothing acknowledged is lost."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import Session, col, select

from db.connection import Database
from db.models import AuditRow, TaskRow, UserRow
from db.users import User
from tests.rounds import rounds

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.both_databases

SECONDS = {"sqlite": rounds(1, 8), "postgresql": rounds(1, 8)}
PROCESSES = {"sqlite": 4, "postgresql": rounds(2, 4)}
THREADS = {"sqlite": 32, "postgresql": rounds(16, 32)}
KILLS = {"sqlite": rounds(3, 5), "postgresql": rounds(1, 5)}


def start_writer(url: str, name: str, threads: int, seconds: float) -> subprocess.Popen[str]:
    """One process of that name; where it is a number, as many that are called p0, p1 and so on."""
    command = [sys.executable, "-m", "tests.db.writer", url, name, str(threads), str(seconds)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def acknowledged(output: str) -> list[str]:
    lines = [line.split("\t") for line in output.splitlines()]
    failures = [line[0] for line in lines if line[0] != "ok"]
    assert failures == []
    return [line[1] for line in lines]


def check_whole(database: Database, user: User) -> set[str]:
    """The titles in the store, after checking that everything that belongs together is there."""
    with database.read() as session:
        tasks = session.exec(select(TaskRow).where(TaskRow.user_id == user.id)).all()
        recorded = session.exec(select(AuditRow).where(col(AuditRow.task_id).is_not(None))).all()
        numbers = [task.number for task in tasks]
        assert sorted(numbers) == list(range(1, len(tasks) + 1))
        assert {row.task_id for row in recorded} == {task.id for task in tasks}
        assert len(recorded) == len(tasks)
        counted = session.exec(select(UserRow).where(UserRow.id == user.id)).one()
        assert (counted.next_number, counted.revision) == (len(tasks) + 1, len(tasks))
        check_index(session, database.url)
    return {task.title for task in tasks}


def check_index(session: Session, url: str) -> None:
    """The words were indexed in the same transactions as the tasks."""
    said = session.connection().execute
    if url.startswith("sqlite"):
        assert said(text("PRAGMA integrity_check")).scalar() == "ok"
        return
    words = "SELECT DISTINCT search_id, unnest(string_to_array(title_words, ' ')) FROM tasks"
    indexed = "SELECT search_id, word FROM task_words JOIN words ON words.id = task_words.word_id"
    assert set(said(text(words))) == set(said(text(indexed)))


def test_many_threads_in_several_processes_lose_nothing(
    database_kind: str, database_url: str, database: Database, ada: User
) -> None:
    processes, threads, seconds = PROCESSES[database_kind], THREADS[database_kind], SECONDS[database_kind]
    writers = start_writer(database_url, str(processes), threads, seconds)
    output, errors = writers.communicate(timeout=120)
    assert (errors, writers.returncode) == ("", 0)
    titles = acknowledged(output)
    assert len(titles) == len(set(titles))
    assert check_whole(database, ada) == set(titles)
    # Every thread of every process got its turn.
    assert len({title.split(" ")[0] for title in titles}) == processes * threads


def test_a_killed_writer_loses_no_acknowledged_change(
    database_kind: str, database_url: str, database: Database, ada: User
) -> None:
    titles: set[str] = set()
    for round_number in range(KILLS[database_kind]):
        writer = start_writer(database_url, f"round{round_number}", 4, 60)
        assert writer.stdout
        seen = [writer.stdout.readline() for _ in range(10 + 7 * round_number)]  # it is in full swing now
        writer.send_signal(signal.SIGKILL)
        rest, _ = writer.communicate(timeout=30)
        assert writer.returncode == -signal.SIGKILL
        titles |= set(acknowledged("".join(seen) + rest))
        assert titles <= check_whole(database, ada)
    database.close()
    if database_kind == "postgresql":
        return  # looked at with each round
    with sqlite3.connect(database_url.removeprefix("sqlite:///")) as connection:
        connection.execute("INSERT INTO task_words(task_words, rank) VALUES ('integrity-check', 1)")
