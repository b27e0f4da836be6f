"""A call that the embedded model nearly did not make is asked about first."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime

import pytest

from domains.loading import load_domain
from engine.completing.values import ComposerSettings
from engine.decision import Context, Decision
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from llm.calibration import load_calibration
from llm.decider import conclude_again
from llm.trace import LLMTrace, ModelAnswer, RawCall

OFF = ComposerSettings(enabled=False)
CONTEXT = Context(MemoryIndex([Task("a", 1, "Buy bread")]), datetime(2026, 3, 4, 10), language="en")  # noqa: DTZ001


def decided(likely: float, call: RawCall, *, endpoint: str = "embedded", said: str = "", **more: object) -> Decision:
    """`likely`: the probability of the first token of the answer."""
    answer = ModelAnswer(text=said, calls=(call,), log_probabilities=(math.log(likely), -0.0001, -0.0001))
    trace = LLMTrace(endpoint=endpoint, model="m", path="tools", request={}, outcome="valid_call", answer=answer)
    return conclude_again(trace, "what have I done", replace(CONTEXT, **more), OFF, load_domain()).decision  # type: ignore[arg-type]


LIST = RawCall("list_tasks", '{"filter": "completed"}')
ADD = RawCall("add_task", '{"title": "done"}')


def threshold() -> float:
    calibration = load_calibration()
    assert calibration
    return calibration.calls


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "I am not quite sure what you mean. Shall I show your tasks?"),
        ("it", "Non sono del tutto sicuro di cosa intendi. Vuoi che io mostri le tue attività?"),
    ],
)
def test_a_call_that_nearly_was_none_is_asked_about(language: str, question: str) -> None:
    asked = decided(threshold() - 0.01, LIST, language=language)
    assert (asked.action, asked.message) == ("confirm", question)
    assert asked.pending
    assert asked.pending.call.parameters == {"filter": "completed"}
    assert asked.ledger[-1].name == "LLM: hardly sure that anything is asked for"
    assert sum(factor.amount for factor in asked.ledger) == pytest.approx(asked.confidence)


@pytest.mark.parametrize("call", [LIST, ADD])
def test_a_call_that_was_never_in_doubt_is_made(call: RawCall) -> None:
    assert decided(threshold() + 0.01, call).action == "execute"


def test_of_other_models_and_other_tokens_nothing_is_known() -> None:
    assert decided(0.5, LIST, endpoint="https://llm.example/v1").action == "execute"
    assert decided(0.5, LIST, said="Here they are.").action == "execute"
