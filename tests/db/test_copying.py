"""`python -m db copy` moves a whole store either way, and counts."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from db.__main__ import main
from db.connection import Database
from db.copying import CopyFailedError, copy_store
from db.models import Base
from db.policies.in_force import activate, find_active
from db.policies.versions import NewVersion, save_version
from db.tasks.service import TaskService
from db.users import create_user, find_user
from tests.conftest import NOW
from tests.postgres_databases import new_database

OLD = Path(__file__).parent / "fixtures" / "version_13.db"


def contents(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table that the models know."""
    database = Database(url)
    with database.read() as session:
        found = {
            table.name: sorted((tuple(row) for row in session.connection().execute(select(table))), key=repr)
            for table in Base.metadata.sorted_tables
        }
    database.close()
    return found


@pytest.fixture
def old(tmp_path: Path) -> str:
    shutil.copy(OLD, tmp_path / "old.db")
    return f"sqlite:///{tmp_path / 'old.db'}"


def test_a_store_comes_back_from_the_other_database_as_it_was(
    old: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with_versions(old)
    before, server, back = contents(old), new_database(), f"sqlite:///{tmp_path / 'back.db'}"
    assert main(["copy", old, server]) == 0
    assert contents(server) == before
    told = capsys.readouterr().out
    assert f"tasks: {len(before['tasks'])}" in told
    assert "and counted: 2 people" in told
    assert main(["copy", server, back]) == 0
    assert contents(back) == before
    for url in (server, back):  # the words were indexed on the way, and numbers go on
        assert look_for(url, "mil") == ["Buy milk"]
        with_versions(url)


def look_for(url: str, part: str) -> list[str]:
    database = Database(url)
    with database.read() as session:
        user = find_user(session, "ada")
        assert user
        found = [task.title for task in TaskService(session, user, lambda: NOW).search_by_title(part)]
    database.close()
    return found


def with_versions(url: str) -> None:
    """A version put in force: the database itself numbers that."""
    database = Database(url)
    with database.write() as session:
        since = len(session.connection().exec_driver_sql("SELECT 1 FROM policy_versions").all())
        new = NewVersion("tasks", "en", "3f9c01ab", "0", {"words.txt": "buy"}, "Ada")
        version = save_version(session, new, since=since)
        activate(session, "tasks", "en", version.id, author="Ada")
        assert find_active(session, "tasks", "en") == version
    database.close()


def test_a_target_with_something_in_it_is_left_as_it_is(old: str, database_url: str) -> None:
    target = Database(database_url)
    with target.write() as session:
        create_user(session, "Somebody")
    target.close()
    with pytest.raises(CopyFailedError, match="users of the target"):
        copy_store(old, database_url)
    assert len(contents(database_url)["users"]) == 1


def test_a_table_of_somebody_else_is_not_left_behind_in_silence(old: str, tmp_path: Path) -> None:
    store = Database(old)
    with store.write() as session:
        session.connection().exec_driver_sql("CREATE TABLE recipes (id INTEGER)")
    store.close()
    with pytest.raises(CopyFailedError, match="recipes"):
        copy_store(old, f"sqlite:///{tmp_path / 'new.db'}")


def test_a_source_that_is_not_there_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["copy", f"sqlite:///{tmp_path / 'none.db'}", f"sqlite:///{tmp_path / 'new.db'}"]) == 1
    assert "There is no database at" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("command", "program"), [("backup", "pg_dump"), ("restore", "pg_restore")])
def test_a_server_is_backed_up_with_its_own_programs(
    command: str, program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from settings import load_settings

    monkeypatch.setenv("DATABASE_URL", "postgresql://ada:secret@db/twolane")
    load_settings.cache_clear()
    try:
        assert main([command, "store.dump"]) == 1
    finally:
        monkeypatch.undo()
        load_settings.cache_clear()
    told = capsys.readouterr().err
    assert program in told
    assert "store.dump" in told
    assert "secret" not in told
