"""A password or a key inside OPENAI_BASE_URL reaches the endpoint, and nothing else: no page, record, log or repr."""

from __future__ import annotations

import base64
import logging
from dataclasses import asdict

import pytest

from llm.connection import check_connection
from llm.decider import LLMDecider
from llm.endpoint import take_apart
from llm.locating import make_endpoint
from llm.patience import Breaker
from settings import Settings
from tests.llm.fault_server import call, serve, status, stream
from tests.llm.test_faults import CONTEXT
from ui.lanes import label_of

SECRET = "hunter2-and-more"


def settings_with(address: str) -> Settings:
    return Settings(openai_base_url=address, openai_api_key="", llm_endpoint="auto", openai_model="m")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "address",
    [
        f"https://me:{SECRET}@example.com/v1",
        f"https://me:{SECRET}@example.com:port/v1",
        f"https://me:{SECRET}@[::1/v1",
        f"https://me:with/{SECRET}@example.com/v1",
        f"https://{SECRET}@example.com/v1/",
        f"me:{SECRET}@example.com/v1",
        f"https://example.com/v1?api-key={SECRET}",
        f"https://example.com/v1#{SECRET}",
    ],
)
def test_no_name_label_or_repr_of_an_endpoint_has_it(address: str) -> None:
    settings = settings_with(address)
    endpoint = make_endpoint(settings)
    shown = (repr(settings), str(settings), repr(endpoint), endpoint.name, endpoint.base_url, label_of(endpoint))
    assert [each for each in shown if SECRET in each] == []
    assert "example.com" in endpoint.base_url or "::1" in endpoint.base_url


def test_it_is_sent_as_the_endpoint_wants_it_and_kept_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with serve(stream(call("list_tasks", "{}"))) as server:
        address = server.url.replace("http://", f"http://me:{SECRET}%21@") + f"?api-key={SECRET}"
        endpoint = make_endpoint(settings_with(address))
        turn = LLMDecider(endpoint, breaker=Breaker(), pause_seconds=0.01).ask("hello", CONTEXT)
    assert turn.trace.outcome == "valid_call"
    login = base64.b64encode(f"me:{SECRET}!".encode()).decode()
    assert f"authorization: Basic {login}".lower() in [line.lower() for line in server.headers]
    assert any(f"api-key={SECRET}" in line for line in server.headers)
    assert SECRET not in repr(asdict(turn.trace)) + caplog.text


def test_a_failure_does_not_tell_it_either(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with serve(status(500)) as server:
        endpoint = make_endpoint(settings_with(server.url.replace("http://", f"http://me:{SECRET}@")))
        turn = LLMDecider(endpoint, breaker=Breaker(), pause_seconds=0.01).ask("hello", CONTEXT)
        found = check_connection(endpoint)
    assert SECRET not in repr(turn) + repr(found) + caplog.text


def test_a_plain_address_stays_as_it_is() -> None:
    assert take_apart("http://localhost:11434/v1/") == ("http://localhost:11434/v1", "", "")
