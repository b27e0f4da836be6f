"""SQL that was compiled for one store of a process is there for the next.

SQLAlchemy keeps what it has compiled with the engine of a store, and nearly every test has a store of its own: each
compiled all statements that it uses anew, for a sixth of what the tests of the store take. Stores in files differ by
nothing that a statement depends on.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

_compiled: LRUCache[Hashable, Any] = LRUCache(3_000)


def share_compiled(patch: pytest.MonkeyPatch) -> None:
    """Of all engines of files that are made from now on."""
    alone = Engine.__init__

    def together(self: Engine, pool: Any, dialect: Any, *others: Any, **options: Any) -> None:
        alone(self, pool, dialect, *others, **options)
        if isinstance(dialect, SQLiteDialect_pysqlite):
            self._compiled_cache = _compiled

    patch.setattr(Engine, "__init__", together)
    # What is compiled is kept under the dialect, which every engine has its own of: they are all alike.
    patch.setattr(SQLiteDialect_pysqlite, "__eq__", lambda one, other: type(one) is type(other), raising=False)
    patch.setattr(SQLiteDialect_pysqlite, "__hash__", lambda one: hash(type(one)), raising=False)


def pytest_configure(config: pytest.Config) -> None:
    patch = pytest.MonkeyPatch()
    share_compiled(patch)
    config.add_cleanup(patch.undo)
