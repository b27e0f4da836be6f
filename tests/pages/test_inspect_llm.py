"""The LLM's side on Inspect: asked only on a button press, shown whole, and without the key."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from streamlit.testing.v1 import AppTest

from db.connection import Database
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.patience import Breaker
from settings import load_settings
from tests.llm.fault_server import FaultServer, call, serve, status, stream
from tests.pages.test_inspect import button, html, open_page, say, words

KEY = "sk-secret-0123456789abcdef"


@contextmanager
def a_model(monkeypatch: pytest.MonkeyPatch, answer: bytes) -> Iterator[FaultServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    load_settings.cache_clear()
    with serve(answer) as server:
        endpoint = Endpoint("openai", server.url, "test-model", key=KEY, timeout_seconds=20)
        decider = LLMDecider(endpoint, breaker=Breaker(), pause_seconds=0)
        monkeypatch.setattr("ui.lanes.domain_llm", lambda _domain: decider)
        yield server


def everything(page: AppTest) -> str:
    shown = [*(code.value for code in page.code), words(page), html(page)]
    return "\n".join([*shown, *(each.value for kind in (page.error, page.warning) for each in kind)])


def test_nothing_is_sent_before_the_button_is_pressed(workbench: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with a_model(monkeypatch, stream({"content": "Hello!"})) as server:
        page = say(open_page(text="delete the passport task"), "hello")
        assert "Nothing was sent yet" in words(page)
        assert server.requests == []


def test_request_answer_call_and_confidence_are_shown_without_the_key(
    workbench: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = call("delete_task", json.dumps({"task_identifier": "#10"}))
    tokens = json.dumps({"content": [{"token": "t", "logprob": math.log(0.5), "top_logprobs": []}] * 3}).encode()
    body = stream(asked).replace(b'"finish_reason": null', b'"finish_reason": null, "logprobs": ' + tokens, 1)
    with a_model(monkeypatch, body) as server:
        page = open_page(text=f"delete the passport task {KEY}")
        page.button(key="ask_llm").click().run()
        assert not page.exception
        (sent,) = server.requests
    shown = [json.loads(code.value) for code in page.code if '"messages"' in code.value]
    assert shown[0]["tools"] == sent["tools"]
    assert shown[0]["messages"][-1]["content"] == "delete the passport task [key]"
    assert any(code.value.startswith("delete_task {") for code in page.code)
    assert any('"tool_name": "delete_task"' in code.value and "printf" not in code.value for code in page.code)
    assert "0.50 sure (mean probability of the answer's tokens)" in words(page)
    assert "log\\-probability of the least likely token" in words(page)
    own_words = everything(page).replace(f"delete the passport task {KEY}", "")
    assert KEY not in "\n".join(code.value for code in page.code if "messages" in code.value)
    assert f"Bearer {KEY}" not in own_words
    assert page.button(key="ask_llm").label == "Ask again"


def test_an_answer_belongs_to_its_message(workbench: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with a_model(monkeypatch, stream({"content": "Hello!"})):
        page = open_page(text="hello")
        page.button(key="ask_llm").click().run()
        assert "The model answered without a call." in words(page)
        say(page, "hello again")
    assert "belonged to another message" in words(page)
    assert "answered without a call" not in words(page)


def test_a_broken_call_is_told_with_its_reason(workbench: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with a_model(monkeypatch, stream(call("add_task", "{}"))):
        page = open_page(text="add something")
        page.button(key="ask_llm").click().run()
    assert "needs 'title'" in page.warning[0].value
    assert any("broken: add_task {}" in code.value for code in page.code)


def test_an_endpoint_that_fails_is_one_sentence(workbench: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with a_model(monkeypatch, status(401)):
        page = open_page(text="hello")
        page.button(key="ask_llm").click().run()
    assert "OPENAI" in page.error[0].value.replace("\\", "")
    assert KEY not in everything(page)


def test_a_lane_that_is_off_says_how_to_turn_it_on(workbench: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_ENDPOINT", "off")
    load_settings.cache_clear()
    page = open_page(text="hello")
    button(page, "Ask the LLM").click().run()
    assert "LLM" in page.error[0].value
    load_settings.cache_clear()
