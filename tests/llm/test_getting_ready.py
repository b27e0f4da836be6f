"""The first turn after a start: while the embedded model loads, the time in which it has to answer stands still."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace

import pytest

from engine.decision import Context
from engine.targets.memory_index import MemoryIndex
from llm import decider
from llm.decider import LLMDecider
from llm.embedded import EmbeddedServer
from llm.endpoint import Endpoint
from llm.patience import Breaker
from tests.assistant.conftest import says
from tests.llm.fault_server import serve
from ui.turns.lanes import waiting_lane

CONTEXT = Context(tasks=MemoryIndex([]), now=datetime(2026, 3, 4, 10))  # noqa: DTZ001


def test_a_model_that_loads_for_longer_than_its_limit_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    passed, waited = 0.0, []
    with serve(says("hello")) as server:

        def locate(endpoint: Endpoint, seconds: float) -> Endpoint:
            nonlocal passed
            waited.append(seconds)
            passed = 60.0  # it takes a minute to load
            return replace(endpoint, kind="custom", base_url=server.url)

        monkeypatch.setattr(decider, "locate", locate)
        monkeypatch.setattr(decider, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + passed))
        endpoint = Endpoint("embedded", "", "m", timeout_seconds=20)
        turn = LLMDecider(endpoint, breaker=Breaker()).ask("hi", CONTEXT)
    assert turn.trace.outcome != "failed", turn.trace.problem
    assert turn.trace.answer.text == "hello"
    assert waited[0] >= 60


def test_a_server_that_has_not_answered_yet_is_getting_ready(tmp_path: object) -> None:
    server = EmbeddedServer(tmp_path)  # type: ignore[arg-type]
    assert server.is_getting_ready
    server.stop()
    assert not server.is_getting_ready


def test_the_card_says_so() -> None:
    assert waiting_lane("", getting_ready=True).thinking == "The embedded model is getting ready"
    assert waiting_lane("").thinking == "Thinking"
