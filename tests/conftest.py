"""What most tests need: a real database in a temporary file, two people, and a clock that stands still."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.tasks.service import Clock, TaskService
from db.users import User, create_user
from engine.values import ToolResult, make_call
from llm.embedded import EmbeddedServer
from llm.weights import get_weights
from tests.domains.conftest import domains_in
from tests.one_core import one_core

pytest_plugins = [
    "tests.shared",
    "tests.postgres_databases",
    "tests.compiled_statements",
    "tests.garbage",
    "tests.reports",
    "tests.compiled",
    "tests.scheduling",
    "tests.browser.chromium",
    "tests.browser.left_behind",
]

# Tests that kill the model must not kill that of a test beside them.
os.environ.setdefault("EMBEDDED_SHARED", "false")

EXAMPLE_DOMAINS = Path(__file__).parent / "example_domains"
NOW = datetime(2026, 3, 4, 10, 0, tzinfo=ZoneInfo("Europe/Rome"))
"""A Wednesday morning."""

Call = Callable[..., ToolResult]


@pytest.fixture
def clock() -> Clock:
    return lambda: NOW


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with all tables, made once: the migrations take ten times as long as a copy."""
    path = tmp_path_factory.mktemp("store") / "empty.db"
    Database(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def database(database_url: str, empty_store: Path) -> Iterator[Database]:
    if database_url.startswith("postgresql"):
        from tests.postgres_databases import opened  # a plugin: pytest loads it after this file

        yield opened(database_url)
        return
    shutil.copy(empty_store, database_url.removeprefix("sqlite:///"))
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


@pytest.fixture(scope="session")
def weights_file() -> Path:
    """Downloads them on a bare machine."""
    return get_weights()


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nothing is kept there from an earlier start: the model of a run reads its prompt, once."""
    return tmp_path_factory.mktemp("model")


@pytest.fixture(scope="session")
def embedded(weights_file: Path, model_folder: Path) -> Iterator[EmbeddedServer]:
    """The one server of the process, as the workbench uses it."""
    from llm import shared_server  # late: the process that hands out the tests needs no SDK of an LLM

    with pytest.MonkeyPatch.context() as patch, one_core():
        patch.setattr(shared_server, "model_folder", lambda: model_folder)
        server = shared_server.shared_server()
    server.wait_ready(240)
    yield server
    server.stop()


@pytest.fixture
def parcels() -> Iterator[str]:
    """The name of a domain from outside."""
    with domains_in(EXAMPLE_DOMAINS):
        yield "parcels"
