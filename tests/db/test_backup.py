"""Copies of a store that is in use: whole, looked through, and put back without stopping anybody."""

from __future__ import annotations

import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from db.__main__ import main
from db.backup import CopyRefusedError, back_up, restore
from db.connection import Database
from db.users import create_user, list_users
from settings import load_settings
from tests.conftest import Call


@pytest.fixture
def store(database: Database, database_url: str) -> Path:
    return Path(database_url.removeprefix("sqlite:///"))


def names(database: Database) -> list[str]:
    with database.read() as session:
        return [user.name for user in list_users(session)]


def test_a_backup_of_a_store_in_use_is_one_whole_file(store: Path, tmp_path: Path, call: Call) -> None:
    call("add_task", title="Buy milk")
    contents = back_up(store, tmp_path / "copy.db")
    assert (contents.people, contents.tasks) == (1, 1)
    assert [path.name for path in tmp_path.glob("*copy.db*")] == ["copy.db"]
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600


def test_a_backup_beside_a_busy_writer_is_of_one_moment(
    store: Path, tmp_path: Path, database: Database, call: Call
) -> None:
    """Each task has its row in the audit trail: a copy of two moments would have more of one than of the other."""
    done = threading.Event()

    def write() -> None:
        number = 0
        while not done.is_set():
            call("add_task", title=f"Task {number}")
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(5):
            back_up(store, tmp_path / f"copy{number}.db")
    finally:
        done.set()
        writer.join()
    for number in range(5):
        with sqlite3.connect(tmp_path / f"copy{number}.db") as copy:
            tasks, calls = (copy.execute(f"SELECT count(*) FROM {name}").fetchone() for name in ("tasks", "tool_calls"))
        copy.close()
        assert tasks == calls


def test_nothing_is_written_over_an_earlier_backup(store: Path, tmp_path: Path) -> None:
    back_up(store, tmp_path / "copy.db")
    before = (tmp_path / "copy.db").read_bytes()
    with pytest.raises(CopyRefusedError, match="there already"):
        back_up(store, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_bytes() == before


def test_restoring_under_an_open_store_shows_at_once_and_goes_on(
    store: Path, tmp_path: Path, database: Database
) -> None:
    with database.write() as session:
        create_user(session, "Ada")
    back_up(store, tmp_path / "copy.db")
    with database.write() as session:
        create_user(session, "Bob")
    done = restore(tmp_path / "copy.db", store)
    assert (done.contents.people, done.needs_restart) == (1, False)
    assert names(database) == ["Ada"]  # the same open store, which nobody started again
    with database.write() as session:
        create_user(session, "Cleo")
    assert names(database) == ["Ada", "Cleo"]
    assert done.kept
    kept = Database(f"sqlite:///{done.kept}")
    assert names(kept) == ["Ada", "Bob"]
    kept.close()


def test_restoring_in_the_place_of_a_damaged_store_keeps_that_aside(
    store: Path, tmp_path: Path, database: Database
) -> None:
    with database.write() as session:
        create_user(session, "Ada")
    back_up(store, tmp_path / "copy.db")
    database.close()
    store.write_bytes(b"not a database at all" * 500)
    done = restore(tmp_path / "copy.db", store)
    assert done.needs_restart
    assert done.kept
    assert done.kept.read_bytes().startswith(b"not a database")
    again = Database(f"sqlite:///{store}")
    assert names(again) == ["Ada"]
    again.close()


def test_restoring_where_the_file_is_gone(store: Path, tmp_path: Path, database: Database) -> None:
    with database.write() as session:
        create_user(session, "Ada")
    back_up(store, tmp_path / "copy.db")
    store.unlink()  # what lies beside it stays, and belongs to the file that is gone
    done = restore(tmp_path / "copy.db", store)
    assert (done.kept, done.needs_restart) == (None, True)
    again = Database(f"sqlite:///{store}")
    assert names(again) == ["Ada"]
    again.close()


def make_text(path: Path) -> None:
    path.write_text("hello")


def make_foreign(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE t (x)")
    other.close()


def make_cut(path: Path) -> None:
    whole = Database(f"sqlite:///{path}")
    whole.close()
    path.write_bytes(path.read_bytes()[:20_000])


def make_newer(path: Path) -> None:
    Database(f"sqlite:///{path}").close()
    with sqlite3.connect(path) as newer:
        newer.execute("INSERT INTO schema_version VALUES (999, 'from the future', CURRENT_TIMESTAMP)")
    newer.close()


@pytest.mark.parametrize("make", [make_text, make_foreign, make_cut, make_newer])
def test_what_is_no_whole_store_is_never_put_back(
    store: Path, tmp_path: Path, database: Database, make: object
) -> None:
    with database.write() as session:
        create_user(session, "Ada")
    make(tmp_path / "odd.db")  # type: ignore[operator]
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(CopyRefusedError):
        restore(tmp_path / "odd.db", store)
    assert names(database) == ["Ada"]
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_the_command_backs_up_and_restores_what_the_settings_name(
    store: Path,
    tmp_path: Path,
    database: Database,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    load_settings.cache_clear()
    copy = str(tmp_path / "copy.db")
    try:
        assert main(["backup", copy]) == 0
        assert main(["restore", copy]) == 0
        assert main(["backup", copy]) == 1
    finally:
        load_settings.cache_clear()
    said = capsys.readouterr()
    assert "checked: 0 people, 0 tasks, 0 turns" in said.out
    assert "there already" in said.err
