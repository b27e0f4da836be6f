"""Who is asked next where a model answers few at a time, and who goes on without it."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from llm.endpoint import Endpoint
from llm.model_queue import ModelQueue, queue_for
from llm.trace import LaneError

LONG = 60.0


class Time:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def answering(queue: ModelQueue, time: Time, seconds: float) -> AsyncIterator[None]:
    """Somebody is at the model, for so long."""
    async with queue.place(LONG, first=True):
        yield
        time.now += seconds


async def come(queue: ModelQueue, called: list[str], name: str, *, first: bool = True, seconds: float = LONG) -> None:
    async with queue.place(seconds, first=first):
        called.append(name)


def test_those_somebody_waits_for_are_asked_first_in_the_order_they_came() -> None:
    async def play() -> list[str]:
        queue, called = ModelQueue(1), list[str]()
        async with answering(queue, Time(), 0):
            tasks = [
                asyncio.create_task(come(queue, called, name, first=first))
                for name, first in (("beside", False), ("one", True), ("two", True))
            ]
            await asyncio.sleep(0)
            assert called == []
        await asyncio.gather(*tasks)
        return called

    assert asyncio.run(play()) == ["one", "two", "beside"]


def test_nobody_stands_for_longer_than_said() -> None:
    async def play() -> None:
        queue = ModelQueue(1)
        async with answering(queue, Time(), 0):
            with pytest.raises(LaneError) as refused:
                await come(queue, [], "late", seconds=0.01)
        assert refused.value.kind == "busy"
        await come(queue, [], "next", seconds=0)  # what gave up has left no trace

    asyncio.run(play())


def test_who_would_stand_too_long_is_told_at_once() -> None:
    async def play() -> None:
        time = Time()
        queue = ModelQueue(2, time)
        async with answering(queue, time, 8):
            assert queue.expected_seconds() == 0, "a place is free"
        async with answering(queue, time, 8), answering(queue, time, 8):
            assert math.isclose(queue.expected_seconds(), 4)
            with pytest.raises(LaneError, match="busy"):
                await come(queue, [], "impatient", seconds=3.9)
            waits = asyncio.create_task(come(queue, [], "patient", seconds=LONG))
            await asyncio.sleep(0)
            assert math.isclose(queue.expected_seconds(), 8)
            assert math.isclose(queue.expected_seconds(first=False), 8)
        await waits
        assert queue.expected_seconds() == 0

    asyncio.run(play())


def test_a_model_that_does_not_answer_is_no_quicker_with_the_next() -> None:
    async def play() -> None:
        time = Time()
        queue = ModelQueue(1, time)
        async with answering(queue, time, 0):
            assert queue.expected_seconds() == 0, "nothing is known yet"
            time.now += 7
            assert math.isclose(queue.expected_seconds(), 7)

    asyncio.run(play())


def test_who_is_stopped_leaves_the_queue() -> None:
    async def play() -> list[str]:
        queue, called = ModelQueue(1), list[str]()
        async with answering(queue, Time(), 0):
            stopped = asyncio.create_task(come(queue, called, "stopped"))
            after = asyncio.create_task(come(queue, called, "after"))
            await asyncio.sleep(0)
            stopped.cancel()
        await asyncio.gather(stopped, after, return_exceptions=True)
        await come(queue, called, "later", seconds=0)
        return called

    assert asyncio.run(play()) == ["after", "later"]


def test_one_queue_for_all_who_ask_the_same_model() -> None:
    embedded = Endpoint("embedded", "", "m")
    assert queue_for(embedded) is queue_for(Endpoint("embedded", "", "m", timeout_seconds=3))
    assert queue_for(embedded) is not queue_for(Endpoint("custom", "http://localhost/v1", "m"))
