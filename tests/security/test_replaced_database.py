"""The database file removed or replaced under a running program: no change is told as done that is gone later."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.failures import StoreUnavailableError
from db.tasks.service import Clock
from db.users import User, create_user, list_users
from engine.values import ErrorKind, make_call
from tests.conftest import Call


def remove(store: Path, _earlier: Path) -> None:
    store.unlink()


def move_away(store: Path, _earlier: Path) -> None:
    store.rename(store.with_name("elsewhere.db"))


def replace_by_rename(store: Path, earlier: Path) -> None:
    earlier.rename(store)


def copy_into_the_same_file(store: Path, earlier: Path) -> None:
    """As `cp backup.db tasks.db` does: the file stays, its contents are others."""
    shutil.copyfile(earlier, store)


def empty(store: Path, _earlier: Path) -> None:
    store.write_bytes(b"")


DEEDS = (remove, move_away, replace_by_rename, copy_into_the_same_file, empty)


@pytest.mark.parametrize("deed", DEEDS)
def test_nothing_is_acknowledged_once_the_file_is_another(
    tmp_path: Path, database_url: str, clock: Clock, deed: Callable[[Path, Path], None]
) -> None:
    store, earlier = Path(database_url.removeprefix("sqlite:///")), tmp_path / "earlier.db"
    first = Database(database_url)
    with first.write() as session:
        create_user(session, "Ada")
    first.close()
    shutil.copyfile(store, earlier)  # with nobody at work: a good copy

    database = Database(database_url)
    with database.read() as session:
        (ada,) = list_users(session)
    call = calling(database, ada, clock)
    assert call("add_task", title="Before").error is None
    deed(store, earlier)
    refused = call("add_task", title="After")
    assert refused.error is ErrorKind.UNAVAILABLE
    assert "removed or replaced" in str(refused.payload["error_message"])
    with pytest.raises(StoreUnavailableError, match="removed or replaced"), database.read():
        pass
    with pytest.raises(StoreUnavailableError, match="removed or replaced"):
        database.check()


def calling(database: Database, user: User, clock: Clock) -> Call:
    executor = Executor(database, user, clock)
    return lambda name, **arguments: executor.execute(make_call(name, arguments, "person"), Origin("person"))


def test_a_change_under_way_is_refused_too(database: Database, database_url: str) -> None:
    store = Path(database_url.removeprefix("sqlite:///"))

    def add_and_move_away() -> None:
        with database.write() as session:
            create_user(session, "Ada")
            store.rename(store.with_name("elsewhere.db"))

    with pytest.raises(StoreUnavailableError, match="removed or replaced"):
        add_and_move_away()
    store.with_name("elsewhere.db").rename(store)
    with database.read() as session:
        assert list_users(session) == ()


def test_others_who_open_the_same_file_are_no_replacement(database: Database, database_url: str) -> None:
    for _ in range(3):
        other = Database(database_url)
        with other.write() as session:
            create_user(session, "Ada")
        with database.write() as session:
            create_user(session, "Bob")
        other.close()
    database.check()


def test_looking_at_the_file_keeps_the_locks_on_it(database: Database, database_url: str) -> None:
    """Closing a handle of a file drops all of a process's locks on it. Another program would take itself for the last
    one then, and throw away the file of the latest changes under our feet."""
    with database.write() as session:
        create_user(session, "Ada")
    Database(database_url).close()
    database.check()
    other = (
        "import sqlite3, sys; store = sqlite3.connect(sys.argv[1]); store.execute('SELECT * FROM users'); store.close()"
    )
    store = database_url.removeprefix("sqlite:///")
    subprocess.run([sys.executable, "-c", other, store], check=True)
    assert Path(store + "-wal").exists()


def test_a_replaced_file_is_noticed_on_a_system_without_pread_too(
    database: Database, ada: User, tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows has none: the file is read from its beginning all the same, each time."""
    monkeypatch.delattr(os, "pread")
    store, earlier = Path(database_url.removeprefix("sqlite:///")), tmp_path / "earlier.db"
    database.renew_counter()
    shutil.copy(store, earlier)
    for _ in range(2):
        database.renew_counter()
        with database.read() as session:
            assert list_users(session)
    copy_into_the_same_file(store, earlier)
    with pytest.raises(StoreUnavailableError, match="removed or replaced"), database.read() as session:
        list_users(session)
