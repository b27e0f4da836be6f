"""Testing a connection says what answered, or in a sentence why nothing did."""

from __future__ import annotations

import socket

import pytest

from llm.connection import check_connection
from llm.embedded import MODEL_NAME, EmbeddedServer
from llm.endpoint import Endpoint
from tests.llm.fault_server import Answer, call, hang, serve, status, stream

LISTED = status(200, body='{"object": "list", "data": [{"id": "small", "object": "model"}]}')


def test_an_endpoint_lists_its_models_and_is_probed_for_tools() -> None:
    with serve(LISTED, stream(call("add_task", '{"title": "buy milk"}'))) as server:
        found = check_connection(Endpoint("custom", server.url, "small", timeout_seconds=10))
    assert (found.models, found.path, found.problem) == (("small",), "tools", "")
    assert found.milliseconds is not None


def test_a_server_without_a_list_can_still_be_used() -> None:
    with serve(status(404), stream({"content": "no tools here"})) as server:
        found = check_connection(Endpoint("custom", server.url, "small", timeout_seconds=10))
    assert (found.models, found.path) == ((), "schema")


@pytest.mark.parametrize(
    ("answer", "said"), [(status(401), "key"), (hang, "within"), (status(200, body="<html>"), "OpenAI interface")]
)
def test_what_does_not_work_is_a_sentence(answer: Answer, said: str) -> None:
    with serve(answer) as server:
        seconds = 0.5 if answer is hang else 10
        found = check_connection(Endpoint("custom", server.url, "small", "sk-secret", seconds))
    assert said in found.problem
    assert "sk-secret" not in repr(found)


def test_nobody_there_is_a_sentence() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        found = check_connection(Endpoint("custom", f"http://127.0.0.1:{unused.getsockname()[1]}/v1", "small"))
    assert "cannot be reached" in found.problem


def test_the_embedded_model_answers(embedded: EmbeddedServer) -> None:
    found = check_connection(Endpoint("embedded", "", MODEL_NAME, timeout_seconds=60))
    assert (found.endpoint, found.models, found.problem) == ("embedded", (MODEL_NAME,), "")
    assert found.path == "tools"
