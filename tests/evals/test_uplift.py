"""What the composer is worth, measured on answers that a model really gave."""

from __future__ import annotations

import json

from evals.uplift import measure, report
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.patience import Breaker
from tests.llm.fault_server import call, serve, status, stream
from tests.our_cases import our_cases

CASE = next(case for case in our_cases() if case.id == "en-states-report-is-done-told")


def test_a_call_that_only_names_the_tool_is_wrong_alone_and_right_once_composed() -> None:
    with serve(stream(call("complete_task", json.dumps({})))) as server:
        row = measure(CASE, LLMDecider(Endpoint("openai", server.url, "m", timeout_seconds=10), breaker=Breaker()))
    assert row is not None
    assert row.right == (False, True, False, True, True)
    assert row.homeless == 0
    shown = report([row])
    assert "composer: 1 turns gained, 0 lost" in shown
    assert "arguments without provenance: 0" in shown


def test_a_model_that_gives_no_answer_says_nothing_about_the_composer() -> None:
    with serve(status(500)) as server:
        decider = LLMDecider(
            Endpoint("openai", server.url, "m", timeout_seconds=2), breaker=Breaker(), pause_seconds=0.01
        )
        assert measure(CASE, decider) is None
