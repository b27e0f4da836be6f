"""The file that a store lives in: made for its owner alone, and still the one that was opened?

A file that was removed or replaced goes on taking changes for whoever has it open, and they are gone with it. So every
use of the store looks whether the file at the path is still the same one.
"""

from __future__ import annotations

import os
import threading
import weakref
from pathlib import Path

from db.failures import StoreUnavailableError

Identity = tuple[int, int]
_MOST_STEPS = 1_000_000
"""The counter grows by one with each opening; a leap is another store's counter."""
REPLACED = (
    "The database file was removed or replaced while it was in use; nothing was changed. "
    "Put a backup back with 'python -m db restore FILE' and start the server again."
)


_lock, _seeking = threading.Lock(), threading.Lock()
_handles: dict[Identity, list[int]] = {}
"""The open handle of each file, and how many use it. Closing any handle of a file drops all the locks that this process
has on it (POSIX), SQLite's among them; so there is one a file, and it is closed after the last connection only."""


def make_private(path: Path) -> None:
    """The folder and the file, where they are not there yet: nobody else on this machine can read them."""
    missing = [folder for folder in path.parents if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
    with _lock:  # whoever else opens it waits here: it is closed again before there is a connection
        if not path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


class StoreFile:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._opened, self._handle = _hold(path)
        self.release = weakref.finalize(self, _let_go, self._opened)
        """To be called when no connection is open any more."""
        self.release.atexit = False  # the process ends, and its handles with it
        self._counter = read_counter(self._handle) or 0

    def check(self) -> None:
        """Raise StoreUnavailableError if the path holds another file by now, or the file another store."""
        try:
            same = _identify(self._path.stat()) == self._opened
            counter = read_counter(self._handle) if self.release.alive else self._counter
        except OSError:
            same, counter = False, None
        if not same or counter is None or not self._follows(counter):
            raise StoreUnavailableError(REPLACED)
        self._counter = counter

    def _follows(self, counter: int) -> bool:
        """A file of before counters were kept, opened while its disk was full, has none yet."""
        return self._counter == 0 or self._counter <= counter <= self._counter + _MOST_STEPS


def _hold(path: Path) -> tuple[Identity, int]:
    with _lock:
        identity = _identify(path.stat())
        if identity not in _handles:
            _handles[identity] = [os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0)), 0]
        _handles[identity][1] += 1
        return identity, _handles[identity][0]


def _let_go(identity: Identity) -> None:
    with _lock:
        held = _handles[identity]
        held[1] -= 1
        if held[1] == 0:
            os.close(_handles.pop(identity)[0])


def _identify(found: os.stat_result) -> Identity:
    return found.st_dev, found.st_ino


def read_counter(handle: int) -> int | None:
    """The counter as the open file itself has it; None where it is no database."""
    head = _read_head(handle)
    return int.from_bytes(head[60:64], "big") if head.startswith(b"SQLite format 3\0") and len(head) == 64 else None


def _read_head(handle: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(handle, 64, 0)
    with _seeking:  # Windows has one place a handle, which its threads share
        os.lseek(handle, 0, os.SEEK_SET)
        return os.read(handle, 64)
