"""A few pages are drawn at once, and the others wait for their turn, in the order in which they came.

Each run of a page has a thread of its own, and a process computes Python in one of them at a time. Twenty that all go
on a little, now one and now the other, take more of the processor than the same twenty one after the other: each
switch costs, and each waits for the processor again after every statement of the store. A few rather than one, because
some wait for a disk or a database meanwhile. Who takes longer than a moment is no longer counted, so nobody waits for
a page that computes for seconds, or for a store that is locked. `tests/ui/test_few_at_once.py` holds what this relies
on.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

_AT_ONCE = 3
_MOMENT_SECONDS = 0.25
_run_page = ScriptRunner._run_script


class _Place:
    """One that waits, and later is inside."""

    def __init__(self) -> None:
        self.since = 0.0
        self._door = threading.Lock()
        self._door.acquire()

    def open(self) -> None:
        self.since = time.monotonic()
        self._door.release()

    def wait(self, seconds: float) -> bool:
        """Whether it was let in."""
        return self._door.acquire(timeout=seconds)


class Places:
    def __init__(self, count: int, moment_seconds: float) -> None:
        self._count, self._moment = count, moment_seconds
        self._inside: list[_Place] = []
        self._waiting: deque[_Place] = deque()
        self._lock = threading.Lock()

    @contextmanager
    def taken(self) -> Iterator[None]:
        place = _Place()
        with self._lock:
            self._waiting.append(place)
            self._let_in()
        while not place.wait(self._moment):
            with self._lock:
                self._let_in()  # somebody inside may have been there for longer than a moment by now
        try:
            yield
        finally:
            with self._lock:
                self._inside.remove(place)
                self._let_in()

    def _let_in(self) -> None:
        now = time.monotonic()
        free = self._count - sum(now - each.since < self._moment for each in self._inside)
        while self._waiting and free > 0:
            place = self._waiting.popleft()
            self._inside.append(place)
            place.open()
            free -= 1


_places = Places(_AT_ONCE, _MOMENT_SECONDS)


def draw_few_at_once() -> None:
    """Called once, as the server starts."""
    ScriptRunner._run_script = _run_page_in_place  # type: ignore[method-assign]


def _run_page_in_place(self: ScriptRunner, rerun_data: RerunData) -> None:
    with _places.taken():
        _run_page(self, rerun_data)
