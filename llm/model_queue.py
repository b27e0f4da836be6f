"""Who is asked next where a model answers few at a time: those first for whom somebody waits.

The turns of chats stand here and not at the model, so that they can leave: after as long as a person is to wait, the
engine decides. Each process has a queue of its own; where several share a model, each finds it slower.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import NamedTuple

from llm.embedded_child import SLOTS
from llm.endpoint import Endpoint
from llm.trace import LaneError

_AT_ONCE = 16
"""At other endpoints, by chats of this process. More would only queue there, each with its clock running."""
_WEIGHT_OF_LAST = 0.2
_BUSY = "The model was busy with other messages, so it was not asked."


class Wait(NamedTuple):
    """How a turn stands in the queue."""

    seconds: float | None = None
    """For so long at the most; None: as long as the turn has."""
    first: bool = True
    """Whether somebody waits for the answer, and it is not only shown beside what was done."""


class _Standing:
    """One who stands in the queue, in a thread with an event loop of its own."""

    def __init__(self, *, first: bool) -> None:
        self.first, self.called = first, False
        self._loop, self._call = asyncio.get_running_loop(), asyncio.Event()

    def call(self) -> None:
        """From any thread, under the queue's lock: until it has left, which takes the lock, its loop runs."""
        self.called = True
        self._loop.call_soon_threadsafe(self._call.set)

    async def be_called(self) -> None:
        await self._call.wait()


async def _until_called(standing: _Standing, seconds: float) -> None:
    if standing.called:
        return
    try:
        async with asyncio.timeout(seconds):
            await standing.be_called()
    except TimeoutError:
        if not standing.called:  # that very moment it may have been
            raise LaneError("busy", _BUSY) from None


class ModelQueue:
    def __init__(self, places: int, clock: Callable[[], float] = time.monotonic) -> None:
        """`places`: how many are answered at a time."""
        self._places = self._free = places
        self._clock, self._lock = clock, threading.Lock()
        self._standing: list[_Standing] = []
        self._usual = 0.0
        """Seconds that an answer took lately; none was given yet: 0."""
        self._lately: deque[float] = deque((0.0, 0.0), maxlen=2)
        """What the last answers took. One that took long may have been long; two say that the model is slow."""
        self._asking: dict[_Standing, float] = {}
        """Those who are at the model, and since when."""

    def expected_seconds(self, *, first: bool = True) -> float:
        """How long somebody who came now would stand here."""
        with self._lock:
            return self._expect(first=first)

    def lately_seconds(self) -> float:
        """What the quicker of the last two answers took."""
        with self._lock:
            return min(self._lately)

    @asynccontextmanager
    async def place(self, seconds: float, *, first: bool) -> AsyncIterator[None]:
        """A place at the model. LaneError where none comes free in time, at once where none is to be expected."""
        standing = _Standing(first=first)
        with self._lock:
            if self._expect(first=first) > seconds:
                raise LaneError("busy", _BUSY)
            self._standing.append(standing)
            self._call_next()
        try:
            await _until_called(standing, seconds)
            yield
        finally:
            self._leave(standing)

    def _expect(self, *, first: bool) -> float:
        if self._free:
            return 0.0
        ahead = sum(each.first or not first for each in self._standing)
        # A model that has not answered for longer than usual will not be quicker with the next ones.
        longest = self._clock() - min(self._asking.values(), default=self._clock())
        return (ahead + 1) * max(self._usual, longest) / self._places

    def _leave(self, standing: _Standing) -> None:
        with self._lock:
            if not standing.called:
                self._standing.remove(standing)
                return
            took = self._clock() - self._asking.pop(standing)
            self._usual += (took - self._usual) * (_WEIGHT_OF_LAST if self._usual else 1.0)
            self._lately.append(took)
            self._free += 1
            self._call_next()

    def _call_next(self) -> None:
        while self._free and self._standing:
            following = next((each for each in self._standing if each.first), self._standing[0])
            self._standing.remove(following)
            self._free -= 1
            self._asking[following] = self._clock()
            following.call()


def queue_for(endpoint: Endpoint) -> ModelQueue:
    """One for all sessions of this process."""
    return _make_queue(endpoint.name, endpoint.model, SLOTS if endpoint.kind == "embedded" else _AT_ONCE)


@cache
def _make_queue(_name: str, _model: str, places: int) -> ModelQueue:
    return ModelQueue(places)
