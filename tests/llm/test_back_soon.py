"""A model that died a moment ago is waited for within the turn, and no longer."""

from __future__ import annotations

import asyncio
import time

import pytest

from llm import decider
from llm.endpoint import Endpoint
from llm.trace import LaneError

_LOADING = LaneError("off", "The embedded model is still loading.", retry=True)


def exchange_of(seconds: float) -> decider._Exchange:
    endpoint = Endpoint("embedded", "", "model", timeout_seconds=seconds)
    return decider._Exchange(endpoint, "tools", {}, [], time.monotonic())


def test_it_is_asked_once_it_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[LaneError | None] = [_LOADING, _LOADING, None]

    def locate(endpoint: Endpoint, seconds: float) -> Endpoint:
        answer = answers.pop(0)
        if answer:
            raise answer
        return endpoint

    monkeypatch.setattr(decider, "locate", locate)
    state = exchange_of(60)
    assert asyncio.run(decider._locate_again(state)) is state.endpoint
    assert answers == []


@pytest.mark.parametrize(
    ("failure", "seconds"), [(_LOADING, 0.0), (LaneError("off", "The embedded model does not start."), 60)]
)
def test_it_is_not_waited_for_beyond_the_turn_or_once_it_is_given_up(
    monkeypatch: pytest.MonkeyPatch, failure: LaneError, seconds: float
) -> None:
    def locate(endpoint: Endpoint, limit: float) -> Endpoint:
        raise failure

    monkeypatch.setattr(decider, "locate", locate)
    with pytest.raises(LaneError) as raised:
        asyncio.run(decider._locate_again(exchange_of(seconds)))
    assert raised.value is failure
