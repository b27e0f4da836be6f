"""Opening the database, and the two ways to use it: `read()` and `write()`."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path

from sqlalchemy import URL, Engine, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoConnectionLeftError
from sqlmodel import Session as Session  # a re-export: rooms above pass sessions on, and import no sqlmodel

from db import sqlite
from db.dialects import dialect_named
from db.failures import ConnectionLostError, StoreUnavailableError
from db.roles import ROLE, Role, require
from db.schema.migrations import read_version
from db.schema.upgrading import bring_up_to_date, refuse_newer
from db.store_file import StoreFile

CONNECTIONS = 40
"""To a server, at the most, by one process; a turn that waits for an LLM holds one."""
_BUSY = "The database is busy; nothing was changed. Please try again in a moment."
_BUSY_READING = "The database is busy. Please try again in a moment."
_LOST = "The database was gone while a change was being kept: it may be there or not. Look before you make it again."
_PAUSE_SECONDS = 0.05
"""Between two tries to reach a server that is starting."""
_TRANSACTION = "transaction"
"""Of a session that writes: what the server knows its transaction by."""


class Database:
    """One per process. Keeps no session: every operation opens its own and closes it."""

    def __init__(
        self, url: str, *, patience_seconds: float = 30.0, durable: bool = True, connections: int = CONNECTIONS
    ) -> None:
        """`durable`: whether what was acknowledged outlives a power cut. A temporary store does without."""
        self.url = url
        self._patience = patience_seconds
        parsed = _parse(url)
        self._dialect = dialect_named(parsed.get_backend_name())
        self._readers, self._writers = self._dialect.open_engines(
            parsed, patience_seconds, durable=durable, connections=connections
        )
        # Threads of this process queue here, so that only one of them contends for the database's lock:
        # SQLite's own waiting is a lottery in which a writer can lose for a long time.
        self._turn = _WriteTurn()
        self.role: Role | None = None
        """Of who acts through this; None: the program itself."""
        self._acting: dict[Role | None, Database] = {None: self}
        self._path = Path(str(parsed.database)) if parsed.get_backend_name() == "sqlite" else None
        self._file: StoreFile | None = None
        self._is_open = False
        with self.write() as session:
            bring_up_to_date(session.connection())
        self.renew_counter()
        self._file = self._watch_file()
        self._is_open = True

    def _watch_file(self) -> StoreFile | None:
        try:
            return StoreFile(self._path) if self._path else None
        except OSError as error:
            raise StoreUnavailableError(f"The database file cannot be read: {error.strerror}.") from error

    @property
    def folder(self) -> Path | None:
        """Of the file; None where the store is on a server."""
        return self._path.absolute().parent if self._path else None

    def renew_counter(self) -> None:
        """From now on an earlier copy of the file is told from it. Where nothing can be written, nothing is renewed."""
        if self._path is None:
            return
        with contextlib.suppress(StoreUnavailableError):
            with self.write() as session:
                sqlite.raise_counter(session.connection())
            with self._readable_errors():
                sqlite.move_into_file(self._readers)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A consistent view; nothing is written."""
        self._check_file()
        with self._readable_errors(reading=True), _closing(self._begin_reading()) as session:
            yield session

    def _check_file(self) -> None:
        if self._file:
            self._file.check()

    def acting_as(self, role: Role | None) -> Database:
        """The same store for somebody with this role: what the role may not do, it refuses."""
        if role not in self._acting:
            handle = copy(self)
            handle.role = role
            self._acting.setdefault(role, handle)
        return self._acting[role]

    @contextmanager
    def write(self, *, recording: bool = False) -> Iterator[Session]:
        """One short transaction: committed when the block ends, rolled back whole when it raises. `recording`: what is
        written is only what was asked and seen, which is kept also of who may change nothing."""
        if not recording:
            require(self.role, "member")
        deadline = time.monotonic() + self._patience
        if not self._turn.acquire(self._patience):
            raise StoreUnavailableError(_BUSY)
        try:
            self._check_file()
            with self._readable_errors(), _closing(self._begin_writing(deadline)) as session:
                session.info[ROLE] = self.role
                if self._is_open:  # so it was brought to our version; a later Twolane may have gone on since
                    refuse_newer(session.connection())
                yield session
                self._check_file()  # again: what is told as done must be in the file that the next start opens
                self._commit(session)
        finally:
            self._turn.release()

    def _begin_writing(self, deadline: float) -> Session:
        """A session that already holds the write lock. Waits for other processes until the deadline."""

        def start(session: Session) -> None:
            session.info[_TRANSACTION] = self._dialect.start_writing(session.connection(), deadline - time.monotonic())

        return self._begin(self._writers, deadline, start)

    def _begin_reading(self) -> Session:
        """A server is reached before anything is asked of it, so that one that restarts is waited for."""
        if self._path:
            return Session(self._readers)
        return self._begin(self._readers, time.monotonic() + self._patience, lambda session: session.connection())

    def _begin(self, engine: Engine, deadline: float, start: Callable[[Session], object]) -> Session:
        began = time.monotonic()
        while True:
            session = Session(engine, expire_on_commit=False)
            try:
                start(session)
            except DBAPIError as error:
                session.close()
                now = time.monotonic()
                if now >= deadline or not self._dialect.may_pass(error.orig, now - began):
                    reading = engine is self._readers
                    raise StoreUnavailableError(self._sentence(error, reading=reading)) from error
                time.sleep(min(_PAUSE_SECONDS, deadline - now) if self._path is None else 0)
            else:
                return session

    @property
    def writers_waiting(self) -> int:
        return self._turn.waiting

    def read_version(self) -> int:
        """Of the schema."""
        with self.read() as session:
            return read_version(session.connection())

    def _commit(self, session: Session) -> None:
        session.flush()
        try:
            session.commit()
        except DBAPIError as error:
            kept = self._was_kept(session) if self._dialect.is_lost(error.orig) else False
            if kept is None:
                raise StoreUnavailableError(_LOST) from error
            if not kept:
                raise

    def _was_kept(self, session: Session) -> bool | None:
        """The server is asked how a change ended whose answer was lost; None: nobody can tell."""
        deadline, kept = time.monotonic() + self._patience, None
        with contextlib.suppress(DBAPIError, NoConnectionLeftError, StoreUnavailableError):
            while kept is None and time.monotonic() < deadline:
                with _closing(self._begin_reading()) as asking:
                    kept = self._dialect.was_kept(asking.connection(), session.info[_TRANSACTION])
                if kept is None:  # the server has not yet noticed that we are gone
                    time.sleep(_PAUSE_SECONDS)
        return kept

    def check(self) -> None:
        """Raise StoreUnavailableError unless the store can be read and written."""
        with self.write() as session:
            session.connection().execute(text("UPDATE schema_version SET name = name"))

    def close(self) -> None:
        self._readers.dispose()
        self._writers.dispose()
        if self._file:
            self._file.release()

    @contextmanager
    def _readable_errors(self, *, reading: bool = False) -> Iterator[None]:
        """Turn the driver's errors into one sentence. A broken constraint stays what it is: a bug of the caller."""
        try:
            yield
        except IntegrityError:
            raise
        except DBAPIError as error:
            kind = ConnectionLostError if self._dialect.is_lost(error.orig) else StoreUnavailableError
            raise kind(self._sentence(error, reading=reading)) from error
        except NoConnectionLeftError as error:
            raise StoreUnavailableError(_BUSY_READING if reading else _BUSY) from error

    def _sentence(self, error: DBAPIError, *, reading: bool) -> str:
        if self._dialect.is_busy(error.orig):
            return _BUSY_READING if reading else _BUSY
        detail = str(error.orig).splitlines()[0] if error.orig else type(error).__name__
        detail = detail.rpartition("failed: ")[2]  # before it stands which machine or socket: no business of a reader
        # Who could only not read may have changed something just before: that is not denied.
        so = "Please" if reading else "Nothing was changed; please"
        return f"Database connection failed ({detail}). {so} try again in a moment."


@contextmanager
def _closing(session: Session) -> Iterator[Session]:
    """What was read or kept stays so where the connection is found to be gone only when it is given back."""
    try:
        yield session
    finally:
        with contextlib.suppress(DBAPIError):
            session.close()


class _WriteTurn:
    """A lock that knows how many wait for it: a figure for whoever runs the server, exact to a moment."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.waiting = 0

    def acquire(self, seconds: float) -> bool:
        self.waiting += 1
        try:
            return self._lock.acquire(timeout=seconds)
        finally:
            self.waiting -= 1

    def release(self) -> None:
        self._lock.release()


def _parse(url: str) -> URL:
    try:
        return make_url(url)
    except ArgumentError:
        raise StoreUnavailableError("DATABASE_URL is not an address of a database.") from None
