"""Pages run for real, without a browser, on a database of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from db.connection import Database
from settings import load_settings
from ui.resources import load_database


@pytest.fixture
def workbench(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """The store as the app opens it: new, with the demo people."""
    monkeypatch.setenv("DATABASE_URL", database_url)
    load_settings.cache_clear()
    load_database.cache_clear()
    yield load_database()
    load_database().close()
    load_settings.cache_clear()
    load_database.cache_clear()
