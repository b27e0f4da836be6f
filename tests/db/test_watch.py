"""What is told about the store to whoever asks: found out beforehand, cheap to ask for, and true on a full disk."""

from __future__ import annotations

import shutil
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from db.connection import Database
from db.failures import StoreUnavailableError
from db.watch import StoreWatch


def test_asking_neither_reads_nor_writes(database: Database, database_url: str) -> None:
    watch = StoreWatch(lambda: database)
    watch.look()
    wal = Path(database_url.removeprefix("sqlite:///") + "-wal")
    before = wal.read_bytes()
    database.close()
    wal.with_name("tasks.db").rename(wal.with_name("away.db"))
    assert {watch.find_problem() for _ in range(100)} == {None}  # as of the last look
    assert not wal.exists() or wal.read_bytes() == before
    watch.look()
    assert "removed or replaced" in str(watch.find_problem())


def test_a_full_disk_is_said(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = StoreWatch(lambda: database)
    usage = shutil.disk_usage(".")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=3 * 1024 * 1024 + 5))
    watch.look()
    assert watch.find_problem() == "The disk of the database is full: 3 MB are left."
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=10**12))
    watch.look()
    assert watch.find_problem() is None


def test_a_store_that_cannot_be_written_is_said(database: Database, database_url: str) -> None:
    impatient = Database(database_url, patience_seconds=0.1)
    watch = StoreWatch(lambda: impatient)
    holder = sqlite3.connect(database_url.removeprefix("sqlite:///"), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    watch.look()
    assert "busy" in str(watch.find_problem())
    holder.close()
    watch.look()
    assert watch.find_problem() is None
    impatient.close()


def test_a_store_that_cannot_be_opened_is_said_and_tried_again(database: Database) -> None:
    answers: list[Any] = [StoreUnavailableError("It is gone."), database]

    def load() -> Database:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[no-any-return]

    watch = StoreWatch(load)
    watch.look()
    assert watch.find_problem() == "It is gone."
    watch.look()
    assert watch.find_problem() is None


def test_a_look_that_never_ends_is_said(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = StoreWatch(lambda: database)
    watch.look()
    later = time.monotonic() + 600
    monkeypatch.setattr("db.watch.time.monotonic", lambda: later)
    assert "has not answered" in str(watch.find_problem())


def test_the_first_question_waits_for_the_first_look(database: Database) -> None:
    watch = StoreWatch(lambda: database, seconds=3600)
    watch.start()
    assert watch.find_problem() is None
    watch.stop()
