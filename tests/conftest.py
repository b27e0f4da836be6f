"""What most tests need: a real database in a temporary file, two people, and a clock that stands still."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.tasks import Clock, TaskService
from db.users import User, create_user
from domains import catalogues, loading
from engine.values import ToolResult, make_call

EXAMPLE_DOMAINS = Path(__file__).parent / "example_domains"
NOW = datetime(2026, 3, 4, 10, 0, tzinfo=ZoneInfo("Europe/Rome"))
"""A Wednesday morning."""

Call = Callable[..., ToolResult]


@pytest.fixture
def clock() -> Clock:
    return lambda: NOW


@pytest.fixture
def database_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'tasks.db'}"


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database(database_url)
    yield database
    database.close()


@pytest.fixture
def ada(database: Database) -> User:
    with database.write() as session:
        return create_user(session, "Ada")


@pytest.fixture
def bob(database: Database, ada: User) -> User:
    with database.write() as session:
        return create_user(session, "Bob")


@pytest.fixture
def executor(database: Database, ada: User, clock: Clock) -> Executor:
    return Executor(database, ada, clock)


@pytest.fixture
def call(executor: Executor) -> Call:
    """`call("add_task", title="Buy milk")`: a tool call as a person makes it."""
    return lambda tool_name, **arguments: executor.execute(make_call(tool_name, arguments, "person"), Origin("person"))


@pytest.fixture
def service(database: Database, ada: User, clock: Clock) -> Iterator[TaskService]:
    with database.write() as session:
        yield TaskService(session, ada, clock)


@pytest.fixture
def parcels(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a domain from outside. Domains are found once a process; here they are looked for anew."""
    monkeypatch.setenv("DOMAINS", str(EXAMPLE_DOMAINS))
    _forget_domains()
    yield "parcels"
    monkeypatch.undo()
    _forget_domains()


def _forget_domains() -> None:
    remembered = (loading.load_domain, loading.numbered_nouns, catalogues.load_tools)
    for each in (*remembered, catalogues.load_all_tools, catalogues._domains_by_tool):
        each.cache_clear()
