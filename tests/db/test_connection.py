"""Opening the database: what is set on it, and clear sentences where it cannot be used."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path

import pytest
from sqlalchemy import text

from db.connection import Database
from db.failures import StoreUnavailableError
from db.users import create_user


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("foreign_keys", 1), ("synchronous", 2), ("busy_timeout", 5000)]
)
def test_every_connection_is_set_up(database: Database, pragma: str, value: object) -> None:
    with database.read() as session:
        assert session.connection().execute(text(f"PRAGMA {pragma}")).scalar() == value


def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    Database(f"sqlite:///{tmp_path / 'new' / 'folder' / 'tasks.db'}").close()
    assert (tmp_path / "new" / "folder" / "tasks.db").exists()


def test_a_new_store_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        database = Database(f"sqlite:///{tmp_path / 'new' / 'folder' / 'tasks.db'}")
        with database.write() as session:
            create_user(session, "Ada")
        made = [tmp_path / "new", *(tmp_path / "new").rglob("*")]
        rights = {path.name: stat.S_IMODE(path.stat().st_mode) for path in made}
    finally:
        os.umask(before)
    database.close()
    assert rights == {
        "new": 0o700, "folder": 0o700, "tasks.db": 0o600, "tasks.db-wal": 0o600, "tasks.db-shm": 0o600,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("sqlite://", "must name a file"),
        ("sqlite:///:memory:", "must name a file"),
        ("not a url", "DATABASE_URL"),
    ],
)
def test_an_address_that_cannot_work_says_so(url: str, words: str) -> None:
    with pytest.raises(StoreUnavailableError, match=words):
        Database(url)


def test_a_file_in_the_place_of_a_folder_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnavailableError, match="folder"):
        Database(f"sqlite:///{tmp_path / 'file' / 'tasks.db'}")


def test_a_file_that_is_no_database_says_so(tmp_path: Path) -> None:
    (tmp_path / "tasks.db").write_bytes(b"\x89PNG not a database " * 50)
    with pytest.raises(StoreUnavailableError, match="Database connection failed"):
        Database(f"sqlite:///{tmp_path / 'tasks.db'}")
    assert (tmp_path / "tasks.db").read_bytes().startswith(b"\x89PNG")


def test_the_check_fails_while_the_store_cannot_be_written(database_url: str, database: Database) -> None:
    impatient = Database(database_url, patience_seconds=0.1)
    impatient.check()
    other = sqlite3.connect(database_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailableError, match="busy"):
        impatient.check()
    other.execute("ROLLBACK")
    other.close()
    impatient.check()
    impatient.close()


def test_readers_see_the_last_state_while_somebody_writes(database_url: str, database: Database) -> None:
    with database.write() as writing:
        writing.connection().execute(text("CREATE TABLE seen (id INTEGER)"))
        with database.read() as reading:
            names = reading.connection().execute(text("SELECT name FROM sqlite_master WHERE name = 'seen'")).all()
    assert names == []


def test_an_exception_rolls_the_whole_block_back(database: Database) -> None:
    def write_and_break() -> None:
        with database.write() as session:
            session.connection().execute(text("CREATE TABLE half_done (id INTEGER)"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_and_break()
    with database.read() as session:
        assert not session.connection().execute(text("SELECT 1 FROM sqlite_master WHERE name = 'half_done'")).all()
