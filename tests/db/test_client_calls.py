"""The list of what MCP clients did: theirs alone, newest first, quick among many others."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from db.audit import Origin
from db.clients.calls import OF_CLIENTS, client_decider, list_client_calls
from db.connection import Database
from db.executor import Executor
from db.tasks.service import Clock
from db.users import User
from engine.values import ErrorKind, make_call

pytestmark = pytest.mark.both_databases


def add(executor: Executor, title: str, decider: str) -> None:
    executor.execute(make_call("add_task", {"title": title}, "llm"), Origin(decider))


def test_only_calls_of_clients_are_listed_newest_first(database: Database, executor: Executor, ada: User) -> None:
    add(executor, "By hand", "person")
    add(executor, "First", client_decider("Desk"))
    add(executor, "By the model", "llm")
    add(executor, "", client_decider("Editor"))
    with database.read() as session:
        calls = list_client_calls(session, ada.id, limit=10)
    assert [(call.client, call.tool_name, call.arguments, call.error) for call in calls] == [
        ("Editor", "add_task", {"title": ""}, ErrorKind.EMPTY_TITLE),
        ("Desk", "add_task", {"title": "First"}, None),
    ]
    assert "must not be empty" in calls[0].message


def test_nobody_sees_the_calls_made_for_another(database: Database, ada: User, bob: User, clock: Clock) -> None:
    add(Executor(database, bob, clock), "Bob's", client_decider("Desk"))
    with database.read() as session:
        assert list_client_calls(session, ada.id, limit=10) == ()


def test_the_list_is_read_on_from_where_it_ended(database: Database, executor: Executor, ada: User) -> None:
    for number in range(5):
        add(executor, f"Task {number}", client_decider("Desk"))
    with database.read() as session:
        first = list_client_calls(session, ada.id, limit=3)
        rest = list_client_calls(session, ada.id, limit=3, before=first[-1].sequence)
    titles = [call.arguments["title"] for call in (*first, *rest)]
    assert titles == ["Task 4", "Task 3", "Task 2", "Task 1", "Task 0"]


def test_a_name_from_outside_becomes_one_short_line() -> None:
    assert client_decider("Evil\n\x1b[31m  name") == "mcp: Evil [31m name"
    assert client_decider("") == client_decider(" \n ") == "mcp: a client without a name"
    assert len(client_decider("x" * 500)) <= 80


@pytest.mark.sqlite_only
def test_the_list_reads_its_own_index_and_nothing_else(database: Database, executor: Executor, ada: User) -> None:
    asked = f"SELECT * FROM tool_calls WHERE user_id = :user AND {OF_CLIENTS} ORDER BY sequence DESC LIMIT 20"
    with database.read() as session:
        plan = session.connection().execute(text(f"EXPLAIN QUERY PLAN {asked}"), {"user": ada.id}).all()
    assert [row.detail for row in plan] == ["SEARCH tool_calls USING INDEX tool_calls_by_client (user_id=?)"]
