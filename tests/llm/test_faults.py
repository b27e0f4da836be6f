"""Whatever an endpoint does, the turn ends in a recorded outcome and a usable decision, and nothing is left behind."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from datetime import datetime

import pytest

from engine.decision import Context, Reason
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.patience import Breaker, Cancel, NeverResting
from llm.trace import LaneError, LLMTurn
from tests.llm.fault_server import Answer, call, cut_chunked, drip_then_hang, hang, serve, status, stream

KEY = "sk-a-secret-that-nobody-may-see-1234"
CONTEXT = Context(tasks=MemoryIndex([Task("a", 1, "Buy milk")]), now=datetime(2026, 3, 4, 10))  # noqa: DTZ001 - a person's own clock


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    left = [thread for thread in threading.enumerate() if thread not in before and not thread.daemon]
    assert left == []


def make_decider(url: str, seconds: float = 5.0) -> LLMDecider:
    return LLMDecider(Endpoint("openai", url, "m", KEY, seconds), breaker=Breaker(), pause_seconds=0.01)


def ask(*answers: Answer, text: str = "complete buy milk", seconds: float = 5.0) -> LLMTurn:
    with serve(*answers) as server:
        return make_decider(server.url, seconds).ask(text, CONTEXT)


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (status(401), "refused_key"),
        (status(404), "request"),
        (status(500), "server"),
        (status(503, body="<html>"), "server"),
        (hang, "timeout"),
        (drip_then_hang, "timeout"),
        (stream({"content": "I will "}, finish=None), "cut_off"),
        (cut_chunked, "cut_off"),
        (stream({"content": "x" * 1_000_000}), "too_long"),
        (stream(*[{"content": "x" * 1000}] * 1000), "too_long"),
        (stream({"content": "caf"}).replace(b"caf", b"caf\xff\xfe"), "unreadable"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {nonsense\n\n", "unreadable"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: [1, 2]\n\n", "unreadable"),
        (b"nothing like HTTP\r\n\r\n", "connection"),
    ],
)
def test_a_failure_is_recorded_and_said_in_one_sentence(answer: Answer, failure: str) -> None:
    turn = ask(answer, seconds=0.5 if answer in (hang, drip_then_hang) else 5.0)
    assert (turn.trace.outcome, turn.trace.failure) == ("failed", failure)
    assert (turn.decision.action, turn.decision.reason) == ("reply", Reason.UNAVAILABLE)
    assert turn.decision.calls == ()
    assert turn.decision.confidence is None
    assert turn.decision.message.endswith(".")
    assert KEY not in repr(turn)


def test_a_refused_connection_is_a_failure() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        turn = make_decider(f"http://127.0.0.1:{unused.getsockname()[1]}/v1").ask("hello", CONTEXT)
    assert turn.trace.failure == "connection"
    assert len(turn.trace.attempts) == 3


@pytest.mark.parametrize("fault", [status(500), status(429, "Retry-After: 0\r\n"), status(503)])
def test_a_passing_fault_is_tried_again(fault: bytes) -> None:
    turn = ask(fault, fault, stream(call("complete_task", '{"task_identifier": "buy milk"}')))
    assert turn.trace.outcome == "valid_call"
    assert len(turn.trace.attempts) == 2


def test_a_wait_that_the_endpoint_asks_for_is_kept_to() -> None:
    began = time.monotonic()
    turn = ask(status(429, "Retry-After: 0.3\r\n"), stream({"content": "hello"}))
    assert turn.trace.outcome == "no_call"
    assert time.monotonic() - began >= 0.3


def test_a_wait_beyond_the_time_limit_ends_the_turn_at_once() -> None:
    turn = ask(status(429, "Retry-After: 3600\r\n"))
    assert turn.trace.failure == "rate_limit"
    assert turn.trace.total_ms < 4000


@pytest.mark.parametrize(
    ("name", "arguments", "kind"),
    [
        ("drop_tables", "{}", "unknown_tool"),
        ("complete_task", '{"task_identifier": "buy', "not_json"),
        ("complete_task", "[1]", "not_json"),
        ("complete_task", '{"task_identifier": 7}', "wrong_type"),
        ("complete_task", "{}", "missing_argument"),
        ("add_task", '{"title": "x", "user_id": "bob"}', "unknown_argument"),
        ("add_task", '{"title": "x", "priority": "urgent"}', "invalid_value"),
        ("add_task", '{"title": "x", "due_date": "blue"}', "bad_date"),
        ("add_task", '{"title": "' + "x" * 300 + '"}', "title_too_long"),
        ("add_task", "[" * 20_000, "not_json"),
    ],
)
def test_a_broken_call_is_told_from_a_sound_one_with_its_reason(name: str, arguments: str, kind: str) -> None:
    turn = ask(stream(call(name, arguments), finish="tool_calls"))
    assert turn.trace.outcome == "broken_call"
    assert [broken.kind for broken in turn.trace.broken] == [kind]
    assert (turn.decision.action, turn.decision.reason, turn.decision.calls) == ("reply", Reason.BROKEN_CALL, ())


def test_nothing_runs_beside_a_broken_call() -> None:
    turn = ask(stream(call("complete_task", '{"task_identifier": "buy milk"}'), call("drop_tables", "{}", 1)))
    assert turn.decision.calls == ()


def test_an_endpoint_that_refuses_log_probabilities_is_asked_without() -> None:
    with serve(status(400), stream({"content": "hello"})) as server:
        turn = make_decider(server.url).ask("hi", CONTEXT)
    assert ["logprobs" in request for request in server.requests] == [True, False]
    assert turn.trace.outcome == "no_call"


def test_the_key_travels_only_to_the_endpoint() -> None:
    with serve(stream({"content": "hello"})) as server:
        decider = make_decider(server.url)
        turn = decider.ask("hi", CONTEXT)
    assert any(KEY in line for line in server.headers)
    assert KEY not in repr(turn)
    assert KEY not in repr(Endpoint("openai", server.url, "m", KEY))


def test_a_request_under_way_can_be_cancelled() -> None:
    cancel = Cancel()
    with serve(hang) as server:
        canceller = threading.Thread(target=lambda: (server.asked.wait(10), cancel.cancel()))
        canceller.start()
        turn = make_decider(server.url, 30).ask("hi", CONTEXT, cancel=cancel)
        canceller.join()
    assert turn.trace.failure == "cancelled"
    assert turn.trace.total_ms < 15_000


def test_an_endpoint_that_is_down_is_left_alone_for_a_while() -> None:
    now = [0.0]
    with serve(status(401), status(500)) as server:
        endpoint = Endpoint("openai", server.url, "m", KEY, 5)
        decider = LLMDecider(endpoint, breaker=Breaker(lambda: now[0]), pause_seconds=0.01)
        failures = [decider.ask("hi", CONTEXT).trace.failure for _ in range(5)]
        assert failures == ["refused_key", "server", "server", "server", "resting"]
        asked = len(server.requests)
        assert decider.ask("hi", CONTEXT).trace.failure == "resting"
        assert len(server.requests) == asked
        server.answers = [stream({"content": "back"})]
        now[0] = 31.0
        assert [decider.ask("hi", CONTEXT).trace.outcome for _ in range(2)] == ["no_call", "no_call"]


def test_messages_that_were_slow_together_do_not_close_the_endpoint_for_everybody() -> None:
    now = iter(range(100))
    breaker, slow = Breaker(lambda: float(next(now))), LaneError("timeout", "The model did not answer in time.")
    together = [breaker.check() for _ in range(4)]
    for began in together:
        breaker.record(slow, began)
    for _ in range(2):
        breaker.record(slow, breaker.check())
    with pytest.raises(LaneError, match="it is tried again in"):  # three times, one after the other
        breaker.check()


def test_an_endpoint_that_is_only_slow_is_said_to_be_slow() -> None:
    breaker, slow = Breaker(lambda: 0.0), LaneError("timeout", "The model did not answer in time.")
    for _ in range(3):
        breaker.record(slow, breaker.check())
    with pytest.raises(LaneError, match="did not answer in time repeatedly; it is tried again in 30 s"):
        breaker.check()


def test_a_run_over_many_messages_leaves_none_out_after_failures() -> None:
    with serve(*[status(401)] * 2, *[status(500)] * 12, stream({"content": "back"})) as server:
        endpoint = Endpoint("openai", server.url, "m", KEY, 5)
        decider = LLMDecider(endpoint, breaker=NeverResting(), pause_seconds=0.01)
        failures = [decider.ask("hi", CONTEXT).trace.failure for _ in range(6)]
        assert failures == ["refused_key"] * 2 + ["server"] * 4
        assert decider.ask("hi", CONTEXT).trace.outcome == "no_call"
