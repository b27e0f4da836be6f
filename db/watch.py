"""Whether the store can be used now, found out in the background: who asks waits for nothing and writes nothing."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from db.connection import Database
from db.failures import StoreUnavailableError

SECONDS = 15.0
"""Between two looks. Each writes a few bytes, so it is not done at a stranger's request."""
_STUCK_SECONDS = 60.0
"""A look that takes longer than this, with all its patience, will not end well."""
LEAST_FREE_BYTES = 20 * 1024 * 1024
"""Below this the next import or backup may not fit any more."""


@dataclass(frozen=True, slots=True)
class Finding:
    problem: str | None
    """In a sentence; None where the store can be read and written."""
    at: float

    @property
    def seconds_ago(self) -> float:
        return time.monotonic() - self.at


class StoreWatch:
    def __init__(self, load_database: Callable[[], Database], *, seconds: float = SECONDS) -> None:
        self._load_database, self._seconds = load_database, seconds
        self._found: Finding | None = None
        self.schema_version: int | None = None
        """As of the last look that came so far."""
        self._first, self._over = threading.Event(), threading.Event()

    def start(self) -> None:
        self._over.clear()
        threading.Thread(target=self._go_on, name="store-watch", daemon=True).start()

    def stop(self) -> None:
        self._over.set()

    def find_problem(self) -> str | None:
        """As of the last look; waits only for the very first."""
        self._first.wait()
        found = self._found
        if found is None:  # pragma: no cover - set before `_first` is
            return "The store was not looked at yet."
        if found.problem is None and found.seconds_ago > self._seconds + _STUCK_SECONDS:
            return f"The store has not answered for {found.seconds_ago:.0f} seconds."
        return found.problem

    def look(self) -> None:
        """Read, write a little, and see whether there is room for more."""
        try:
            database = self._load_database()
            database.check()
            database.renew_counter()
            self.schema_version = database.read_version()
            problem = _find_lack_of_room(database)
        except StoreUnavailableError as error:
            problem = str(error)
        except OSError as error:
            problem = f"The database cannot be reached: {error.strerror}."
        self._found = Finding(problem, time.monotonic())
        self._first.set()

    def _go_on(self) -> None:
        while not self._over.is_set():
            self.look()
            self._over.wait(self._seconds)


def _find_lack_of_room(database: Database) -> str | None:
    """Of a server one cannot know: it says so itself when there is none."""
    if database.folder is None:
        return None
    free = shutil.disk_usage(database.folder).free
    if free >= LEAST_FREE_BYTES:
        return None
    return f"The disk of the database is full: {free // (1024 * 1024)} MB are left."
