"""How far a long piece of work has come, and the wish that it ends early. Read by one thread, moved by others."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

_SOONEST_GUESS = 0.5
"""Seconds: before that, a guess at the time left would jump about."""


@dataclass
class Progress:
    total: int
    done: int = 0
    before: int = 0
    """Of what is done: how much was done already when this began, which says nothing about the pace."""
    cancelled: bool = False
    started: float = field(default_factory=time.monotonic)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def step(self, count: int = 1) -> None:
        with self._lock:
            self.done += count

    @property
    def share(self) -> float:
        return min(1.0, self.done / self.total) if self.total else 1.0

    @property
    def seconds_left(self) -> float | None:
        """At the pace so far; None while there is none yet."""
        elapsed = time.monotonic() - self.started
        newly = self.done - self.before
        if newly <= 0 or elapsed < _SOONEST_GUESS:
            return None
        return elapsed / newly * max(0, self.total - self.done)
