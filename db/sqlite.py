"""All SQL that only SQLite understands, and why it is needed; `db.sqlite_words` has the word index, `db.postgres` the
same for PostgreSQL. Nothing else in the project knows the dialect.

- Pragmas: WAL lets people read while somebody writes; foreign keys are off by default; FULL keeps an
  acknowledged change through a power cut, not only through a crash of the program.
- BEGIN IMMEDIATE: a transaction that starts as a reader and then writes fails at once with "database is
  locked", however long the busy timeout is. A writer therefore takes the write lock first.
- Append-only triggers for the audit trail.
- The file's counter: `user_version` stands at a fixed place of the file's first page. Who opens the store raises it, so
  that an older copy put in the file's place shows, also one copied into the very same file.
- Copies: SQLite's own way of copying a database that is in use.
"""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, ColumnElement, Connection, Engine, PoolProxiedConnection, create_engine, event

from db.failures import StoreUnavailableError
from db.store_file import make_private

MOST_BUSY_MS = 5_000
"""One wait for another process's transaction; `Database` repeats it as long as its patience lasts."""
COPY_ERRORS = (sqlite3.Error, OSError)


def open_engines(url: URL, patience_seconds: float, *, durable: bool, connections: int) -> tuple[Engine, Engine]:
    """As many connections as are asked for: a file has no limit of them."""
    if not url.database or url.database == ":memory:":
        raise StoreUnavailableError("DATABASE_URL must name a file: every page shares the database through it.")
    try:
        make_private(Path(url.database))
    except OSError as error:
        raise StoreUnavailableError(f"The folder or file of the database cannot be made: {error.strerror}.") from error
    # Those that are kept open: with five, whoever came when all were taken opened and closed one of their own.
    readers = create_engine(url, pool_size=connections, max_overflow=-1)
    _prepare(readers, patience_seconds, durable=durable)
    writers = create_engine(url, pool=readers.pool)
    # By the dialects, of which each engine has its own. With a listener to the beginning of transactions, SQLAlchemy
    # looked for listeners at every step of every statement: a third of what a short one took.
    readers.dialect.do_begin = _begin_reading  # type: ignore[method-assign]
    writers.dialect.do_begin = _begin_writing  # type: ignore[method-assign]
    return readers, writers


def _begin_reading(dbapi_connection: PoolProxiedConnection) -> None:
    dbapi_connection.driver_connection.execute("BEGIN")  # type: ignore[union-attr]


def _begin_writing(dbapi_connection: PoolProxiedConnection) -> None:
    dbapi_connection.driver_connection.execute("BEGIN IMMEDIATE")  # type: ignore[union-attr]


def _prepare(engine: Engine, patience_seconds: float, *, durable: bool) -> None:
    """Set up each new connection."""
    busy_ms = min(MOST_BUSY_MS, int(patience_seconds * 1000))
    # A store that nobody keeps need not wait for the disk.
    synchronous = "FULL" if durable else "OFF"

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None  # the driver must not begin transactions on its own
        connection.execute(f"PRAGMA busy_timeout = {busy_ms}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA synchronous = {synchronous}")


def start_writing(_connection: Connection, _seconds: float) -> str:
    """Nothing to do: a writer's transaction began with the lock."""
    return ""


def was_kept(_connection: Connection, _transaction: str) -> bool | None:
    """Nobody has to ask: a commit to a file always says how it ended."""
    return None


def is_busy(error: BaseException | None) -> bool:
    return isinstance(error, sqlite3.OperationalError) and (
        getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    )


def may_pass(error: BaseException | None, _waited: float) -> bool:
    """SQLite waits for a few seconds at a time; who has more patience asks again."""
    return is_busy(error)


def is_lost(_error: BaseException | None) -> bool:
    return False


def same_text(column: Any, value: str) -> ColumnElement[bool]:
    same: ColumnElement[bool] = column == value
    return same


def raise_counter(connection: Connection) -> None:
    """Inside the caller's transaction. A file without a counter starts anywhere, so that no two stores look alike."""
    found = int(connection.exec_driver_sql("PRAGMA user_version").scalar() or 0)
    connection.exec_driver_sql(f"PRAGMA user_version = {found + 1 if found > 0 else random.randint(1, 1 << 30)}")  # noqa: S311


def move_into_file(engine: Engine) -> None:
    """What was written lately lies beside the file; put it in, as far as readers allow."""
    with engine.connect() as connection:
        connection.connection.driver_connection.execute("PRAGMA wal_checkpoint(PASSIVE)").close()  # type: ignore[union-attr]


def copy_database(source: Path, target: Path, *, patience_seconds: float) -> None:
    """One consistent state, while others read and write. The target may be in use as well; it is replaced whole."""
    reading = f"file:{quote(str(source))}?mode=rw"
    with (
        closing(sqlite3.connect(reading, uri=True, timeout=patience_seconds)) as from_here,
        closing(sqlite3.connect(target, timeout=patience_seconds)) as to_there,
    ):
        from_here.backup(to_there)


def make_single_file(path: Path, *, beyond: Path | None = None, steps: int = 0) -> None:
    """No further files beside it: a copy that can be moved about; its counter so many steps beyond another store's."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        if beyond:
            with closing(sqlite3.connect(beyond)) as other:
                found = int(other.execute("PRAGMA user_version").fetchone()[0])
            connection.execute(f"PRAGMA user_version = {found + steps}")


def has_table(path: Path, name: str) -> bool:
    with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=rw", uri=True)) as connection:
        return bool(connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (name,)).fetchone())


def find_damage(path: Path) -> str | None:
    """What is wrong inside a database file, in SQLite's words; None where it is whole."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=rw", uri=True)) as connection:
            found = connection.execute("PRAGMA integrity_check").fetchone()[0]
            orphan = connection.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.Error as error:
        return str(error)
    if found != "ok":
        return str(found)
    return f"a row of {orphan[0]} belongs to nothing" if orphan else None


def make_append_only(connection: Connection, table: str) -> None:
    for change in ("UPDATE", "DELETE"):
        connection.exec_driver_sql(
            f"""CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} BEGIN
                    SELECT RAISE(ABORT, 'the audit trail is append-only');
                END"""
        )
