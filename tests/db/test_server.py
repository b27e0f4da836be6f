"""A store on a PostgreSQL server: clear sentences where it cannot be used, and what only a server does otherwise."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import select

from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.failures import StoreUnavailableError
from db.models import AuditRow
from db.postgres import RESTART_SECONDS
from db.postgres_words import key_of
from db.tasks.listing import TaskQuery
from db.tasks.service import TaskService
from db.turns.conversations import start_conversation
from db.turns.turns import get_turn, start_turn
from db.users import User
from db.watch import StoreWatch
from engine.values import ErrorKind, make_call
from settings import without_password
from tests import get_postgres
from tests import postgres as programs
from tests.conftest import NOW

PERSON = Origin("person")


@pytest.fixture
def database_kind() -> str:
    return "postgresql"


@pytest.fixture
def impatient(database: Database, database_url: str) -> Iterator[Database]:
    store = Database(database_url, patience_seconds=0.1)
    yield store
    store.close()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql+asyncpg://localhost/tasks", "write postgresql://"),
        ("postgresql://localhost", "must name a database"),
        ("mysql://localhost/tasks", "SQLite and PostgreSQL"),
        ("postgresql://ada:secret@127.0.0.1:1/tasks", "Database connection failed"),
    ],
)
def test_an_address_that_cannot_work_says_so_without_its_password(url: str, words: str) -> None:
    with pytest.raises(StoreUnavailableError, match=words) as said:
        Database(url, patience_seconds=0.1)
    assert "secret" not in str(said.value)


def test_a_database_that_is_not_there_says_so_at_once_and_not_where_the_server_is(database_url: str) -> None:
    began = time.monotonic()
    with pytest.raises(StoreUnavailableError, match="does not exist") as said:
        Database(database_url.replace("/test_", "/no_such_"))
    assert time.monotonic() - began < RESTART_SECONDS
    assert "twolane-pg" not in str(said.value)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ada:p:w/d@db/twolane", "postgresql://ada:***@db/twolane"),
        ("postgresql://ada@db/twolane", "postgresql://ada@db/twolane"),
        ("sqlite:////srv/data/tasks.db", "sqlite:////srv/data/tasks.db"),
    ],
)
def test_an_address_is_shown_without_its_password(url: str, shown: str) -> None:
    assert without_password(url) == shown


def test_a_change_waits_for_its_turn_and_says_when_it_was_too_long(
    database: Database, impatient: Database, ada: User
) -> None:
    executor, watch = Executor(impatient, ada, lambda: NOW), StoreWatch(lambda: impatient)
    with database.write():
        refused = executor.execute(make_call("add_task", {"title": "x"}, "person"), PERSON)
        watch.look()
    assert refused.error is ErrorKind.UNAVAILABLE
    assert "busy" in refused.error_message
    assert "busy" in str(watch.find_problem())
    watch.look()
    assert watch.find_problem() is None
    assert executor.execute(make_call("add_task", {"title": "x"}, "person"), PERSON).ok


def test_readers_see_one_state_and_wait_for_nobody(database: Database, ada: User, clock: Any) -> None:
    with database.read() as reading:
        before = TaskService(reading, ada, clock).count(TaskQuery())
        with database.write() as writing:
            TaskService(writing, ada, clock).create("New")
            assert TaskService(reading, ada, clock).count(TaskQuery()) == before
        assert TaskService(reading, ada, clock).count(TaskQuery()) == before
    with database.read() as reading:
        assert TaskService(reading, ada, clock).count(TaskQuery()) == before + 1


def test_who_only_reads_cannot_write(database: Database) -> None:
    with pytest.raises(StoreUnavailableError, match="read-only"), database.read() as session:
        session.connection().execute(text("DELETE FROM tasks"))


def test_more_threads_than_connections_wait_for_each_other(database_url: str, database: Database, ada: User) -> None:
    narrow = Database(database_url, connections=2)
    found: list[int] = []

    def look() -> None:
        for _ in range(5):
            with narrow.read() as session:
                found.append(TaskService(session, ada, lambda: NOW).count(TaskQuery()))

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    narrow.close()
    assert found == [0] * 40


def test_who_writes_does_not_wait_for_who_holds_on_to_what_was_read(
    database_url: str, database: Database, ada: User
) -> None:
    """As turns do that wait for an LLM: they end with a change."""
    narrow = Database(database_url, connections=2, patience_seconds=0.5)
    with narrow.read() as held:
        assert TaskService(held, ada, lambda: NOW).count(TaskQuery()) == 0
        with narrow.write() as session:
            TaskService(session, ada, lambda: NOW).create("Done meanwhile")
        with pytest.raises(StoreUnavailableError, match="busy"), narrow.read() as late:
            TaskService(late, ada, lambda: NOW).count(TaskQuery())
    narrow.close()


def test_what_only_this_server_refuses_is_kept_or_told(database: Database, ada: User, executor: Executor) -> None:
    """NUL in a text, infinity in JSON, numbers that no column holds."""
    with database.write() as session:
        conversation_id = start_conversation(session, ada.id)
        start_turn(
            session,
            ada.id,
            conversation_id,
            turn_id="t1",
            text="buy\0milk",
            driver="engine",
            context={"odd": [float("inf"), {"nan": float("nan")}], "nul": "a\0b"},
            llm_status="off",
        )
    with database.read() as session:
        turn = get_turn(session, ada.id, "t1")
    assert turn.text == "buy\u2400milk"
    assert turn.context == {"odd": ["inf", {"nan": "nan"}], "nul": "a\0b"}
    call = make_call("list_tasks", {"offset": 2**64}, "llm")
    assert executor.execute(call, PERSON).ok
    for number in (2**31, 2**63, 2**80):
        call = make_call("complete_task", {"task_identifier": f"#{number}"}, "llm")
        assert executor.execute(call, PERSON).error in (ErrorKind.NOT_FOUND, ErrorKind.INVALID_VALUE)
    with database.read() as session:
        assert len(session.exec(select(AuditRow)).all()) == 4


def test_titles_are_sorted_byte_by_byte_whatever_the_language_of_the_server(database: Database, ada: User) -> None:
    """The server of the tests sorts as people do: capitals beside small letters, signs left out."""
    titles = ["b-c", "bd", "a b", "ab", "_x", "zebra", "étude", "#1", "Ωmega", "co-op", "coop", "9", "10"]
    with database.write() as session:
        service = TaskService(session, ada, lambda: NOW)
        for title in titles:
            service.create(title)
        keys = [str(key) for key in session.connection().execute(text("SELECT title_key FROM tasks")).scalars()]
        listed = service.find_all(TaskQuery(order="title"))
        query = "SELECT title_key FROM tasks ORDER BY title_key"
        assert session.connection().execute(text(query)).scalars().all() == sorted(keys, key=str.encode)
    assert len(listed) == len(titles)


@pytest.mark.parametrize("word", ["x" * 600, "x" * 601, "牛" * 900, "é" * 300 + "a"])
def test_words_longer_than_a_key_of_an_index_are_found_by_any_part(database: Database, ada: User, word: str) -> None:
    with database.write() as session:
        known = session.connection().execute(text("SELECT twolane_word_key(:word)"), {"word": word}).scalar()
        assert known == key_of(word)
        service = TaskService(session, ada, lambda: NOW)
        task = service.create("Long", description=word)
        assert service.find_all(TaskQuery(search=word[:5])) == (task,)
        assert service.find_all(TaskQuery(search=word)) == (service.get(task.id),)
        service.update(task.id, description="")
        assert service.find_all(TaskQuery(search=word[:5])) == ()
        assert session.connection().execute(text("SELECT word FROM words")).scalars().all() == ["long"]


def test_a_title_longer_than_a_key_of_an_index_is_found(database: Database, ada: User) -> None:
    title = "".join(chr(0xFDF0 + place % 13) for place in range(200))  # ligatures: each becomes several letters
    with database.write() as session:
        service = TaskService(session, ada, lambda: NOW)
        task = service.create(title)
        assert service.with_exact_title(title) == (task,)


def test_the_programs_of_the_server_are_asked_for_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "PLACES", ())
    monkeypatch.setattr(shutil, "which", lambda *_names, **_places: None)
    monkeypatch.setattr(subprocess, "run", lambda *_command, **_options: None)
    programs.find_programs.cache_clear()
    with pytest.raises(SystemExit) as ended:
        get_postgres.main()
    programs.find_programs.cache_clear()
    assert "PostgreSQL 15 or later" in str(ended.value)
    assert "\n" not in str(ended.value)
