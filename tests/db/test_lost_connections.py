"""A database server that is gone in the middle: what was kept is told as kept, what was not is done again, once."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from assistant import Assistant, Lanes
from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.failures import ConnectionLostError, StoreUnavailableError
from db.tasks.listing import TaskQuery
from db.tasks.service import Clock, TaskService
from db.turns.conversations import start_conversation
from db.turns.turns import read_turns
from db.users import User, create_user
from domains.deciders import make_engine
from engine.decision import Context, Decision
from engine.values import Task, make_call
from tests.conftest import NOW, Call

PERSON = Origin("person")
_ANSWERED_COMMIT = b"COMMIT\x00"


@pytest.fixture
def database_kind() -> str:
    return "postgresql"


def end_connections(url: str) -> None:
    """As a restart of the server ends them: without a word before."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()"""
        )


class Way:
    """Between a store and its server. While `cuts`, the next answer to a commit is lost; with `for_good`, nothing
    comes through after that."""

    def __init__(self, server: Path) -> None:
        self._server, self._listening = server, socket.create_server(("127.0.0.1", 0))
        self.cuts = self.cut = self.for_good = False
        self._ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._listening.getsockname()[1])

    def close(self) -> None:
        for end in (self._listening, *self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(str(self._server))
            self._ends += [client, server]
            for source, target, answers in ((client, server, False), (server, client, True)):
                threading.Thread(target=self._carry, args=(source, target, answers), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if answers and self.cuts and _ANSWERED_COMMIT in data:
                    self.cuts, self.cut = False, True
                    if self.for_good:
                        self.close()
                    break
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def way(database: Database, database_url: str) -> Iterator[Way]:
    folder = Path(database_url.partition("?host=")[2])
    way = Way(folder / ".s.PGSQL.5432")
    yield way
    way.close()


@contextmanager
def store_by(way: Way, database_url: str) -> Iterator[Database]:
    name = database_url.partition("?")[0].rpartition("/")[2]
    store = Database(f"postgresql://postgres@127.0.0.1:{way.port}/{name}?sslmode=disable&gssencmode=disable")
    try:
        yield store
    finally:
        store.close()


def titles(database: Database, user: User) -> list[str]:
    with database.read() as session:
        return [task.title for task in TaskService(session, user, lambda: NOW).find_all(TaskQuery())]


def test_a_lost_connection_is_an_error_once_at_the_most(database: Database, database_url: str, call: Call) -> None:
    call("add_task", title="Before")
    end_connections(database_url)
    assert call("add_task", title="After").ok
    end_connections(database_url)
    with database.read() as session:
        assert session.connection().execute(text("SELECT count(*) FROM tasks")).scalar() == 2


def test_a_connection_lost_in_the_middle_changes_nothing_and_says_so(
    database: Database, database_url: str, ada: User
) -> None:
    def write_and_lose_it() -> None:
        with database.write() as session:
            create_user(session, "Half done")
            end_connections(database_url)
            create_user(session, "Too late")

    with pytest.raises(StoreUnavailableError, match="Nothing was changed"):
        write_and_lose_it()
    with database.read() as session:
        assert session.connection().execute(text("SELECT name FROM users")).scalars().all() == [ada.name]


def test_a_commit_that_was_kept_and_not_answered_is_told_as_kept(
    database: Database, database_url: str, way: Way, ada: User, clock: Clock
) -> None:
    with store_by(way, database_url) as store:
        way.cuts = True
        added = Executor(store, ada, clock).execute(make_call("add_task", {"title": "Kept"}, "person"), PERSON)
    assert way.cut
    assert added.ok
    assert titles(database, ada) == ["Kept"]


def test_a_commit_that_did_not_arrive_changed_nothing_and_says_so(database: Database, database_url: str) -> None:
    def write_and_lose_it() -> None:
        with database.write() as session:
            create_user(session, "Lost")
            session.flush()
            end_connections(database_url)

    with pytest.raises(ConnectionLostError, match="Nothing was changed"):
        write_and_lose_it()
    with database.read() as session:
        assert "Lost" not in session.connection().execute(text("SELECT name FROM users")).scalars().all()


def test_what_was_read_counts_where_the_connection_is_gone_before_it_is_given_back(
    database: Database, database_url: str, ada: User
) -> None:
    """As in a turn that holds on to what it read: it was kept, and nobody must be told otherwise."""
    with database.read() as session:
        found = session.connection().execute(text("SELECT name FROM users")).scalars().all()
        end_connections(database_url)
    assert found == [ada.name]


def test_where_the_server_cannot_tell_nobody_says_that_nothing_was_changed(
    database: Database, database_url: str, way: Way, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store_by(way, database_url) as store:
        way.cuts = way.for_good = True

        def write() -> None:
            with store.write() as session:
                create_user(session, "Perhaps")

        monkeypatch.setattr(store, "_patience", 0.2)
        with pytest.raises(StoreUnavailableError, match="it may be there or not"):
            write()


def lose_one_change(url: str, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The server is gone while the next task is made; the list is no longer empty then."""
    create, lost = TaskService.create, list[int]()

    def lose_it_once(self: TaskService, *values: Any, **more: Any) -> Task:
        if not lost:
            lost.append(1)
            end_connections(url)
        return create(self, *values, **more)

    monkeypatch.setattr(TaskService, "create", lose_it_once)
    return lost


def test_a_call_that_was_lost_with_its_connection_is_tried_once_more(
    database: Database, database_url: str, ada: User, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = lose_one_change(database_url, monkeypatch)
    added = Executor(database, ada, clock).execute(make_call("add_task", {"title": "Once"}, "person"), PERSON)
    assert lost
    assert added.ok
    assert titles(database, ada) == ["Once"]


class Interrupted:
    """The engine, with the server gone after it has read and before what it came to is kept."""

    def __init__(self, url: str) -> None:
        self._engine, self._url, self.asked = make_engine(), url, 0

    def decide(self, text: str, context: Context) -> Decision:
        decision = self._engine.decide(text, context)
        self.asked += 1
        if self.asked == 1:
            end_connections(self._url)
        return decision


def test_a_message_is_read_again_where_the_server_was_gone_meanwhile(
    database: Database, database_url: str, ada: User, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.write() as session:
        conversation = start_conversation(session, ada.id)
    lost = lose_one_change(database_url, monkeypatch)
    engine = Interrupted(database_url)
    Assistant(database, ada, clock).run_turn(conversation, "add a task called Milk", "engine", Lanes(engine))
    assert lost
    assert engine.asked == 2
    assert titles(database, ada) == ["Milk"]
    with database.read() as session:
        assert [turn.text for turn in read_turns(session, ada.id, conversation)] == ["add a task called Milk"]
