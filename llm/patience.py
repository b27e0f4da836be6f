"""How long to try: retries with growing pauses, a breaker for endpoints that are down, and cancelling."""

from __future__ import annotations

import asyncio
import math
import random
import threading
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeVar

from llm.trace import LaneError

Clock = Callable[[], float]
Result = TypeVar("Result")

_MOST_ATTEMPTS = 3
_FIRST_PAUSE_SECONDS = 0.5
_MOST_FAILURES = 3
_REST_SECONDS = 30.0
_COUNTED = frozenset({"connection", "server", "timeout", "cut_off"})
"""Failures that say the endpoint is down. A refused key or request says something about us."""


class Breaker:
    """After some failures in a row an endpoint is left alone for a while; then one request tries it again."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._failures, self._closed_until, self._failed_at = 0, 0.0, -math.inf
        self._slow = True
        """Whether it only took too long, each time."""

    def check(self) -> float:
        """When this request began. Raises LaneError while the endpoint rests. The request that ends the rest keeps the
        others waiting."""
        with self._lock:
            now = self._clock()
            if self._failures >= _MOST_FAILURES:
                left = self._closed_until - now
                if left > 0:
                    failed = "did not answer in time" if self._slow else "failed"
                    sentence = f"The model's server {failed} repeatedly; it is tried again in {left:.0f} s."
                    raise LaneError("resting", sentence)
                self._closed_until = now + _REST_SECONDS
            return now

    def record(self, failure: LaneError | None, began: float) -> None:
        """Requests that were under way together and failed together tell the same: they count once."""
        with self._lock:
            if failure is None:
                self._failures, self._slow = 0, True
            elif failure.kind in _COUNTED and began >= self._failed_at:
                self._failures += 1
                self._slow = self._slow and failure.kind == "timeout"
                self._failed_at = self._clock()
                self._closed_until = self._failed_at + _REST_SECONDS


class NeverResting(Breaker):
    """For runs over many messages, where one that is not asked is one that is missing."""

    def check(self) -> float:
        return self._clock()


class Timer(NamedTuple):
    """What is done, in the asking thread, where a request is still under way after so many seconds."""

    seconds: float
    act: Callable[[], object]


class Cancel:
    """Lets another thread end a request that is under way."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stop: Callable[[], object] | None = None
        self.cancelled = False

    def cancel(self) -> None:
        with self._lock:
            self.cancelled = True
            if self._stop:
                self._stop()

    def attach(self, stop: Callable[[], object]) -> None:
        """`stop` is called at most once, at once if the cancelling came first."""
        with self._lock:
            self._stop = stop
            if self.cancelled:
                stop()

    def detach(self) -> None:
        """After this, `stop` is not called any more: what it would stop is gone."""
        with self._lock:
            self._stop = None


async def with_retries(
    attempt: Callable[[], Awaitable[Result]], seconds: float, attempts: list[str], pause: float = _FIRST_PAUSE_SECONDS
) -> Result:
    """The first success within the time limit. What failed before is noted in `attempts`."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            async with asyncio.timeout_at(asyncio.get_running_loop().time() + deadline - time.monotonic()):
                return await attempt()
        except TimeoutError:
            raise LaneError("timeout", f"The model did not answer within {seconds:.3g} seconds.") from None
        except LaneError as error:
            attempts.append(error.sentence)
            wait = _wait_before_next(error, len(attempts), pause)
            if not error.retry or len(attempts) >= _MOST_ATTEMPTS or time.monotonic() + wait >= deadline:
                raise
        await asyncio.sleep(wait)


def _wait_before_next(error: LaneError, failures: int, pause: float) -> float:
    if error.after_seconds is not None:
        return error.after_seconds
    # Spread out, so that many sessions do not come back at the same moment.
    return pause * 2.0 ** (failures - 1) * random.uniform(0.8, 1.2)  # noqa: S311 - no secret
