"""What those who run the server are told about a turn: figures and spans, and none of its words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from telemetry import metrics
from tests.assistant.conftest import Chat, ServeModel, calls, says
from tests.llm.fault_server import status

SECRET = "zanzibar"


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", lambda name: provider.get_tracer(name))
    yield exporter
    provider.shutdown()


def figure(line: str) -> float:
    """The value of one line of `/metrics`; nought where it is not there yet."""
    for each in metrics.write().decode().splitlines():
        if each.startswith(f"{line} "):
            return float(each.rpartition(" ")[2])
    return 0.0


def test_a_turn_is_counted_by_lane_and_action_without_its_words(chat: Chat, model: ServeModel) -> None:
    model(calls("add_task", title=SECRET))
    lines = (
        'twolane_turns_total{domain="tasks",driver="engine",lane="engine"}',
        'twolane_decisions_total{action="execute",lane="engine"}',
        'twolane_decisions_total{action="execute",lane="llm"}',
        'twolane_llm_requests_total{endpoint="openai",outcome="valid_call"}',
        'twolane_tool_calls_total{outcome="ok",tool="add_task"}',
        'twolane_turn_seconds_count{lane="engine"}',
    )
    before = [figure(line) for line in lines]
    chat.say(f"add a task to buy {SECRET}")
    assert [figure(line) for line in lines] == [value + 1 for value in before]
    assert SECRET not in metrics.write().decode()
    assert chat.user.name not in metrics.write().decode()


def test_a_model_that_does_not_answer_is_counted_by_why(chat: Chat, model: ServeModel) -> None:
    model(status(401))
    line = 'twolane_llm_failures_total{endpoint="openai",failure="refused_key"}'
    before = figure(line)
    chat.say("add a task to buy bread")
    assert figure(line) == before + 1


def test_a_queue_is_read_when_it_is_asked_for() -> None:
    waiting = [1, 2]
    metrics.watch("test_queue", "Of this test.", lambda: len(waiting))
    assert figure("twolane_test_queue") == 2
    waiting.append(3)
    assert figure("twolane_test_queue") == 3


def test_spans_of_a_turn_follow_the_conventions_and_hold_no_words(
    chat: Chat, model: ServeModel, spans: InMemorySpanExporter
) -> None:
    chat.driver = "llm"
    model(calls("add_task", title=SECRET), says("Added."))
    chat.say(f"add a task to buy {SECRET}")
    found = {span.name: span for span in spans.get_finished_spans()}
    assert set(found) == {"invoke_agent twolane", "chat m", "execute_tool add_task"}
    asked = found["chat m"]
    assert asked.attributes is not None
    assert asked.attributes["gen_ai.operation.name"] == "chat"
    assert asked.attributes["gen_ai.provider.name"] == "openai"
    assert asked.attributes["gen_ai.request.model"] == "m"
    assert asked.attributes["server.address"] == "127.0.0.1"
    turn = found["invoke_agent twolane"]
    assert asked.context.trace_id == turn.context.trace_id == found["execute_tool add_task"].context.trace_id
    assert SECRET not in "".join(span.to_json() for span in spans.get_finished_spans())


def test_a_failure_is_told_by_its_kind_alone(chat: Chat, model: ServeModel, spans: InMemorySpanExporter) -> None:
    model(status(401))
    chat.say("add a task to buy bread")
    failed = next(span for span in spans.get_finished_spans() if span.name == "chat m")
    assert failed.attributes is not None
    assert failed.attributes["error.type"] == "refused_key"
    assert not failed.status.is_ok
