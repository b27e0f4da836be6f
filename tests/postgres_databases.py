"""Which database a test is given: a file, or one on the PostgreSQL server of the test run.

Tests marked `both_databases` run on both. On the server, each process of the run has a database that every test finds
empty, and makes new ones for tests that need that.
"""

from __future__ import annotations

import os
import uuid
from functools import cache
from pathlib import Path

import psycopg
import pytest

from db.connection import Database
from tests.shared import shared_postgres

_KEPT = ("schema_version", "alembic_version")


def new_database() -> str:
    """The address of a database with nothing in it. Its language sorts as people do, not byte by byte as we must."""
    server, name = shared_postgres(), f"test_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server.url_of("postgres"), autocommit=True) as connection:
        connection.execute(
            f"CREATE DATABASE {name} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'"
        )
    return server.url_of(name)


def emptied_database() -> str:
    """The one of this process, with all tables and nothing in them. To empty it takes a tenth of the time that a copy
    of a template takes."""
    url, empty = _own_database(os.getpid())
    try:
        _broom(url).execute(empty)
    except psycopg.OperationalError:  # the test before ended all connections
        _broom.cache_clear()
        _broom(url).execute(empty)
    return url


@cache
def _broom(url: str) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(url, autocommit=True)


@cache
def opened(url: str) -> Database:
    """One for all tests of a process: most of what a test takes on a server is opening it."""
    return Database(url)


@cache
def _own_database(_process: int) -> tuple[str, str]:
    """Its address, and how to empty it: with the triggers off, which keep the audit trail as it is."""
    url = new_database()
    Database(url).close()
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")
        tables = [name for (name,) in found if name not in _KEPT]
    deletes = "; ".join(f"DELETE FROM {table}" for table in tables)
    return url, f"SET lock_timeout = '10s'; SET session_replication_role = replica; {deletes}"


@pytest.fixture
def database_kind() -> str:
    """Tests marked `both_databases` run a second time, with "postgresql"."""
    return "sqlite"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marked = metafunc.definition.get_closest_marker
    if marked("both_databases") and not marked("sqlite_only") and "database_kind" in metafunc.fixturenames:
        metafunc.parametrize("database_kind", ("sqlite", "postgresql"))


@pytest.fixture
def database_url(database_kind: str, tmp_path: Path) -> str:
    return emptied_database() if database_kind == "postgresql" else f"sqlite:///{tmp_path / 'tasks.db'}"
