"""Opening the database, and the two ways to use it: `read()` and `write()`."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path

from sqlalchemy import Engine, create_engine, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlmodel import Session as Session  # a re-export: rooms above pass sessions on, and import no sqlmodel

from db import sqlite
from db.failures import StoreUnavailableError
from db.roles import ROLE, Role, require
from db.schema.migrations import migrate, read_version, refuse_newer
from db.store_file import StoreFile, make_private


class Database:
    """One per process. Keeps no session: every operation opens its own and closes it."""

    def __init__(self, url: str, *, patience_seconds: float = 30.0, durable: bool = True) -> None:
        """`durable`: whether what was acknowledged outlives a power cut. A temporary store does without."""
        self.url = url
        self._patience = patience_seconds
        self._engine = _make_engine(url, patience_seconds, durable=durable)
        self._writers = self._engine.execution_options(write=True)
        # Threads of this process queue here, so that only one of them contends for the file's lock:
        # SQLite's own waiting is a lottery in which a writer can lose for a long time.
        self._turn = _WriteTurn()
        self.role: Role | None = None
        """Of who acts through this; None: the program itself."""
        self._acting: dict[Role | None, Database] = {None: self}
        self._file: StoreFile | None = None
        with self.write() as session:
            migrate(session.connection())
        self.renew_counter()
        self._file = self._watch_file()

    def _watch_file(self) -> StoreFile:
        try:
            return StoreFile(self._path)
        except OSError as error:
            raise StoreUnavailableError(f"The database file cannot be read: {error.strerror}.") from error

    @property
    def _path(self) -> Path:
        return Path(str(self._engine.url.database))

    @property
    def folder(self) -> Path:
        return self._path.absolute().parent

    def renew_counter(self) -> None:
        """From now on an earlier copy of the file is told from it. Where nothing can be written, nothing is renewed."""
        with contextlib.suppress(StoreUnavailableError):
            with self.write() as session:
                sqlite.raise_counter(session.connection())
            with _readable_errors():
                sqlite.move_into_file(self._engine)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A consistent view; nothing is written."""
        self._check_file()
        with _readable_errors(), Session(self._engine) as session:
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
            raise StoreUnavailableError("The database is busy; nothing was changed. Please try again in a moment.")
        try:
            self._check_file()
            with _readable_errors(), self._begin(deadline) as session:
                session.info[ROLE] = self.role
                if self._file:  # opened, so it was brought to our version; a later Twolane may have gone on since
                    refuse_newer(session.connection())
                yield session
                self._check_file()  # again: what is told as done must be in the file that the next start opens
                session.commit()
        finally:
            self._turn.release()

    def _begin(self, deadline: float) -> Session:
        """A session that already holds the write lock. Waits for other processes until the deadline."""
        while True:
            session = Session(self._writers, expire_on_commit=False)
            try:
                session.connection()
            except DBAPIError as error:
                session.close()
                if not sqlite.is_locked(error.orig) or time.monotonic() >= deadline:
                    raise
            else:
                return session

    @property
    def writers_waiting(self) -> int:
        return self._turn.waiting

    def read_version(self) -> int:
        """Of the schema."""
        with self.read() as session:
            return read_version(session.connection())

    def check(self) -> None:
        """Raise StoreUnavailableError unless the store can be read and written."""
        with self.write() as session:
            session.connection().execute(text("UPDATE schema_version SET name = name"))

    def close(self) -> None:
        self._engine.dispose()
        if self._file:
            self._file.release()


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


def _make_engine(url: str, patience_seconds: float, *, durable: bool) -> Engine:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise StoreUnavailableError("DATABASE_URL is not an address of a database.") from None
    if parsed.get_backend_name() != "sqlite":
        raise StoreUnavailableError(f"DATABASE_URL names {parsed.get_backend_name()}; this version runs on SQLite.")
    if not parsed.database or parsed.database == ":memory:":
        raise StoreUnavailableError("DATABASE_URL must name a file: every page shares the database through it.")
    try:
        make_private(Path(parsed.database))
    except OSError as error:
        raise StoreUnavailableError(f"The folder or file of the database cannot be made: {error.strerror}.") from error
    engine = create_engine(parsed, max_overflow=-1)
    sqlite.prepare_engine(engine, patience_seconds, durable=durable)
    return engine


@contextmanager
def _readable_errors() -> Iterator[None]:
    """Turn the driver's errors into one sentence. A broken constraint stays what it is: a bug of the caller."""
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        raise StoreUnavailableError(_sentence(error)) from error


def _sentence(error: DBAPIError) -> str:
    if error.orig is not None and sqlite.is_locked(error.orig):
        return "The database is busy; nothing was changed. Please try again in a moment."
    detail = str(error.orig).splitlines()[0] if error.orig else type(error).__name__
    return f"Database connection failed ({detail}). Nothing was changed; please try again in a moment."
