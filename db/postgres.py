"""All that only PostgreSQL knows, and why it is needed; `db.sqlite` has the same for SQLite.

- One writer at a time, by a lock of the database that the transaction holds to its end: what the rest of this room says
  ("the next number", "the latest version") was written for one writer, and holds for it. Whoever waits gets its turn in
  order. Readers wait for nobody.
- Readers see one state (repeatable read), writers what was committed when they got their turn.
- Connections are tried before they are used: after a restart of the server the next use has a new one.
- Values that only this server refuses: NUL in a text, NaN in JSON, numbers that no column holds.
"""

from __future__ import annotations

import hashlib
import json
import math
from functools import cache
from typing import Any

from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Engine,
    ExceptionContext,
    Integer,
    and_,
    create_engine,
    event,
    func,
    text,
)
from sqlalchemy.ext.compiler import compiles

from db.failures import StoreUnavailableError

WRITE_LOCK = 0x7457_6F6C
"""Ours among the locks of the database; nobody else's is likely to have this number."""
RESTART_SECONDS = 10.0
"""So long a change waits for a server that does not answer: a restart takes less."""
OLDEST = 15
_KEPT_CONNECTIONS = 5
"""Open also while nobody uses them."""

_BUSY = "55P03"  # lock_not_available
_TOO_LARGE = "22003"  # numeric_value_out_of_range
_ENDED = ("57P01", "57P02", "57P03", "57P05", "08000", "08003", "08006")
"""Shut down, crashed, starting, idle for too long; the connection lost."""
_RESTARTING = (
    "refused", "starting up", "shutting down", "in recovery", "No such file", "closed the connection",
    "too many clients", "connection slots",
)  # fmt: skip
_DRIVERS = ("postgresql", "postgres", "postgresql+psycopg")
_SET_UP = """SELECT set_config(name, value, false) FROM (VALUES
    ('TimeZone', 'UTC'),
    -- A machine that is gone without a word must not hold the lock for two hours.
    ('tcp_keepalives_idle', '30'), ('tcp_keepalives_interval', '10'), ('tcp_keepalives_count', '3'),
    -- What was acknowledged outlives a power cut, also where the server was set up otherwise.
    ('synchronous_commit', CASE WHEN NOT %(durable)s THEN 'off'
        WHEN current_setting('synchronous_commit') = 'off' THEN 'on' ELSE current_setting('synchronous_commit') END)
    ) AS settings (name, value)"""


@compiles(Integer, "postgresql")
def _make_wide(_type: Integer, _compiler: Any, **_options: Any) -> str:
    """A number of a task that somebody says may be larger than four bytes, and is then simply not found."""
    return "BIGINT"


def open_engines(url: URL, patience_seconds: float, *, durable: bool, connections: int) -> tuple[Engine, Engine]:
    """Two pools: a turn that waits for an LLM holds on to what it read, and whoever writes must not wait for that. One
    writes at a time, so one connection will do for them."""
    if url.drivername not in _DRIVERS:
        raise StoreUnavailableError(f"DATABASE_URL names {url.drivername}; write postgresql:// for PostgreSQL.")
    if not url.database:
        raise StoreUnavailableError("DATABASE_URL must name a database: postgresql://USER@HOST/DATABASE.")
    address = url.set(drivername="postgresql+psycopg")
    readers = _open(address, patience_seconds, connections - 1)
    writers = _open(address, patience_seconds, 1)
    _prepare(readers, durable=durable)
    _prepare(writers, durable=durable)
    reading = readers.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return reading, writers.execution_options(isolation_level="READ COMMITTED")


def _open(url: URL, patience_seconds: float, connections: int) -> Engine:
    kept = min(connections, _KEPT_CONNECTIONS)
    try:
        return create_engine(
            url,
            pool_size=kept,
            max_overflow=connections - kept,
            pool_timeout=patience_seconds,
            pool_pre_ping=True,
            json_serializer=_write_json,
            # Plans are made anew each time: one made for somebody with three tasks is wrong for a million.
            connect_args={"prepare_threshold": None, "connect_timeout": max(2, int(patience_seconds))},
        )
    except ModuleNotFoundError as error:  # pragma: no cover - it is among the requirements
        raise StoreUnavailableError("PostgreSQL needs the package psycopg; requirements.txt has it.") from error


def _prepare(engine: Engine, *, durable: bool) -> None:
    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: Any) -> None:
        _keep_any_text(connection)
        connection.autocommit = True
        connection.execute(_SET_UP, {"durable": durable})
        connection.autocommit = False

    @event.listens_for(engine, "first_connect")
    def look_at_server(connection: Any, _record: Any) -> None:
        if connection.info.server_version < OLDEST * 10_000:
            found = connection.info.server_version // 10_000
            raise StoreUnavailableError(f"This is PostgreSQL {found}; Twolane needs {OLDEST} or later.")
        if connection.info.parameter_status("server_encoding") != "UTF8":
            raise StoreUnavailableError("The database keeps texts in an encoding of its own; make it with UTF8.")

    @event.listens_for(engine, "handle_error")
    def say_too_large(context: ExceptionContext) -> None:
        if _state_of(context.original_exception) == _TOO_LARGE:
            raise OverflowError("too large for any column") from context.original_exception


def _keep_any_text(connection: Any) -> None:
    """No text of PostgreSQL has a NUL in it; what people paste may. It becomes the sign for one."""
    connection.adapters.register_dumper(str, _make_dumper())


@cache
def _make_dumper() -> type[Any]:
    from psycopg.types.string import StrDumper  # only here and below: who has a file needs no driver

    class PastedText(StrDumper):
        def dump(self, obj: str) -> Any:
            return super().dump(obj.replace("\0", "\u2400") if "\0" in obj else obj)

    return PastedText


def _write_json(value: Any) -> str:
    try:
        return json.dumps(value, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), allow_nan=False)


def _finite(value: Any) -> Any:
    """JSON has no infinity; SQLite keeps what Python writes for it, PostgreSQL refuses it. It is kept in words."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    return [_finite(each) for each in value] if isinstance(value, list | tuple) else value


def start_writing(connection: Connection, seconds: float) -> str:
    """All in one question: each takes as long as a way to the server and back."""
    wait = {"wait": f"{max(1, int(seconds * 1000))}ms", "lock": WRITE_LOCK}
    return str(connection.execute(_TAKE_TURN, wait).scalar())


_TAKE_TURN = text(
    """SELECT pg_current_xact_id()::text FROM (SELECT pg_advisory_xact_lock(:lock) FROM
    (SELECT set_config('lock_timeout', :wait, true) OFFSET 0) AS patience OFFSET 0) AS turn"""
)


def was_kept(connection: Connection, transaction: str) -> bool | None:
    """The server remembers how each of its late transactions ended, also over a restart."""
    ended = connection.execute(_HOW_IT_ENDED, {"transaction": transaction}).scalar()
    return {"committed": True, "aborted": False}.get(str(ended))


_HOW_IT_ENDED = text("SELECT pg_xact_status(CAST(:transaction AS xid8))")


def is_busy(error: BaseException | None) -> bool:
    return _state_of(error) == _BUSY


def may_pass(error: BaseException | None, waited: float) -> bool:
    """A server that stops, starts, is not there yet or has no connection left; not one that refuses us."""
    said = str(error)
    passing = any(words in said for words in _RESTARTING)
    return waited <= RESTART_SECONDS and (passing or (is_lost(error) and "FATAL" not in said))


def is_lost(error: BaseException | None) -> bool:
    """The connection ended in the middle: by a restart of the server, or on the way."""
    from psycopg import OperationalError

    state = _state_of(error)
    return state in _ENDED if state else isinstance(error, OperationalError) and "connection" in str(error)


def same_text(column: Any, value: str) -> ColumnElement[bool]:
    hashed = hashlib.md5(value.encode(), usedforsecurity=False).hexdigest()
    return and_(func.md5(column) == hashed, column == value)


def _state_of(error: BaseException | None) -> str | None:
    """The five signs by which the server says what went wrong; None where it said nothing."""
    state = getattr(error, "sqlstate", None)
    return state if isinstance(state, str) else None
