"""The schema grows from every earlier version without losing anything, and refuses a newer one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, inspect, text

from db import sqlite_words
from db.audit import Origin
from db.connection import Database
from db.evaluation import review_models  # noqa: F401 - its tables are held to the schema as well
from db.executor import Executor
from db.failures import NewerDatabaseError
from db.models import AuditRow, Base
from db.policies import models as policy_models  # noqa: F401 - likewise
from db.schema.migrations import MIGRATIONS, SCHEMA_VERSION, migrate, read_version
from db.schema.upgrading import LATEST
from db.tasks.listing import TaskQuery
from db.tasks.service import TaskService
from db.users import create_user, find_user
from engine.values import make_call
from tests.conftest import NOW

PERSONAL_VOCABULARY = 17
"""Since this version each person's words are their own."""


def write_at_version(path: Path, version: int) -> None:
    """A database as an earlier Twolane left it, with a user and a task where there were tables for them."""
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        migrate(connection, target=version)
        if version >= 1:
            insert_task(connection)
        if 4 <= version < PERSONAL_VOCABULARY:  # then the service also kept the words, everybody's in one place
            words = [{"word": word} for word in ("kept", "from", "before", "milk")]
            connection.execute(text("INSERT INTO words(word) VALUES (:word)"), words)
        if version >= PERSONAL_VOCABULARY:
            sqlite_words.remember_words(connection, 1, {"kept", "from", "before", "milk"})
    engine.dispose()


def insert_task(connection: Connection) -> None:
    connection.execute(
        text(
            """INSERT INTO users (id, serial, handle, name, next_number, audit_count, revision, created_at)
               VALUES ('u1', 1, 'ada', 'Ada', 2, 0, 0, '2026-01-01 08:00:00')"""
        )
    )
    connection.execute(
        text(
            """INSERT INTO tasks (id, user_id, number, search_id, title, title_key, title_words, description,
                                  description_words, priority, status, created_at, updated_at)
               VALUES ('t1', 'u1', 1, 4294967297, 'Kept from before', 'kept from before', 'kept from before',
                       'Milk', 'milk', 'high', 'pending', '2026-01-01 08:00:00', '2026-01-01 08:00:00')"""
        )
    )


def schema_of(path: Path) -> list[Any]:
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT type, name, sql FROM sqlite_master ORDER BY name")).all()
    engine.dispose()
    return [tuple(row) for row in rows]


@pytest.mark.parametrize("version", range(SCHEMA_VERSION))
def test_every_earlier_version_becomes_the_present_one(tmp_path: Path, version: int) -> None:
    old, fresh = tmp_path / "old.db", tmp_path / "fresh.db"
    write_at_version(old, version)
    Database(f"sqlite:///{old}").close()
    Database(f"sqlite:///{fresh}").close()
    assert schema_of(old) == schema_of(fresh)


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION))
def test_tasks_of_an_earlier_version_are_kept_and_can_be_found(tmp_path: Path, version: int) -> None:
    path = tmp_path / "old.db"
    write_at_version(path, version)
    database = Database(f"sqlite:///{path}")
    with database.read() as session:
        user = find_user(session, "ada")
        assert user
        service = TaskService(session, user, lambda: NOW)
        assert [task.title for task in service.find_all(TaskQuery(search="kept milk"))] == ["Kept from before"]
        assert service.search_by_title("from bef")
    database.close()


def test_a_database_from_before_machines_takes_them_and_keeps_its_audit_trail(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    write_at_version(path, 8)
    old = create_engine(f"sqlite:///{path}")
    with old.begin() as connection:  # as the version before wrote it: without a machine
        connection.execute(
            text(
                """INSERT INTO tool_calls (id, user_id, sequence, decider, tool_name, arguments, result, created_at)
                   VALUES ('c1', 'u1', 1, 'person', 'list_tasks', '[]', '{}', '2026-01-01 08:00:00')"""
            )
        )
        connection.execute(text("UPDATE users SET audit_count = 1"))
    old.dispose()
    database = Database(f"sqlite:///{path}")
    with database.read() as session:
        user = find_user(session, "ada")
    assert user
    executor = Executor(database, user, lambda: NOW)
    assert executor.execute(make_call("machines_list", {}, "person"), Origin("person")).payload["total"] == 0
    with database.write() as session:
        row = session.get(AuditRow, "c1")
        assert row
        assert row.machine_id is None
    database.close()


def test_verdicts_and_cases_of_before_take_the_domain_of_their_turn(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    write_at_version(path, 15)
    old = create_engine(f"sqlite:///{path}")
    moment = "'2026-01-01 08:00:00'"
    with old.begin() as connection:  # as that version wrote them: without a domain of their own
        for place, domain in enumerate(("tasks", "machines")):
            for statement in (
                f"""INSERT INTO conversations (id, user_id, domain, title, named, revision, created_at, updated_at)
                        VALUES ('v{place}', 'u1', '{domain}', '', 0, 0, {moment}, {moment})""",
                f"""INSERT INTO turns (id, user_id, conversation_id, domain, position, text, driver, task_ids, results,
                                       offers, context, llm_status, llm_summary, created_at)
                        VALUES ('t{place}', 'u1', 'v{place}', '{domain}', 1, 'hello', 'engine', '[]', '[]', '[]',
                                '{{}}', 'waiting', '{{}}', {moment})""",
                f"""INSERT INTO cases (id, user_id, digest, text, context, expected, created_at)
                        VALUES ('c{place}', 'u1', 'd{place}', 'hello', '{{}}', '{{}}', {moment})""",
                f"""INSERT INTO verdicts (turn_id, lane, user_id, verdict, case_id, created_at, changed_at)
                        VALUES ('t{place}', 'engine', 'u1', 'right', 'c{place}', {moment}, {moment})""",
            ):
                connection.exec_driver_sql(statement)
    old.dispose()
    Database(f"sqlite:///{path}").close()
    now = create_engine(f"sqlite:///{path}")
    with now.connect() as connection:
        for query in ("SELECT domain FROM cases ORDER BY id", "SELECT domain FROM verdicts ORDER BY turn_id"):
            assert connection.execute(text(query)).scalars().all() == ["tasks", "machines"]
    now.dispose()


def test_migrating_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "tasks.db"
    Database(f"sqlite:///{path}").close()
    before = schema_of(path)
    Database(f"sqlite:///{path}").close()
    assert schema_of(path) == before


def test_a_newer_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "newer.db"
    database = Database(f"sqlite:///{path}")
    with database.write() as session:
        session.connection().execute(
            text("INSERT INTO schema_version VALUES (:version, 'from the future', CURRENT_TIMESTAMP)"),
            {"version": LATEST + 1},
        )
    with pytest.raises(NewerDatabaseError), database.write() as session:  # the one who has it open notices, too
        create_user(session, "Too late")
    with database.read() as session:
        assert session.connection().execute(text("SELECT count(*) FROM users")).scalar() == 0
    database.close()
    before = schema_of(path)
    with pytest.raises(NewerDatabaseError, match=f"version {LATEST + 1}.*Update Twolane"):
        Database(f"sqlite:///{path}")
    assert schema_of(path) == before


def test_a_migration_that_fails_leaves_the_version_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tasks.db"
    write_at_version(path, 1)

    def breaks(connection: Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE half_done (id INTEGER)")
        raise RuntimeError("power cut")

    monkeypatch.setattr("db.schema.migrations.MIGRATIONS", (MIGRATIONS[0], breaks, *MIGRATIONS[2:]))
    with pytest.raises(RuntimeError):
        Database(f"sqlite:///{path}")
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        assert read_version(connection) == 1
        assert not inspect(connection).has_table("half_done")
    engine.dispose()


def test_the_models_and_the_migrated_tables_have_the_same_columns(tmp_path: Path) -> None:
    path = tmp_path / "tasks.db"
    Database(f"sqlite:///{path}").close()
    engine = create_engine(f"sqlite:///{path}")
    assert len(Base.metadata.sorted_tables) >= 10
    with engine.connect() as connection:
        for table in Base.metadata.sorted_tables:
            migrated = {column["name"]: column["nullable"] for column in inspect(connection).get_columns(table.name)}
            modelled = {column.name: column.nullable for column in table.columns}
            primary = {column.name for column in table.primary_key}
            assert {name: migrated[name] for name in migrated if name not in primary} == {
                name: modelled[name] for name in modelled if name not in primary
            }, table.name
    engine.dispose()
