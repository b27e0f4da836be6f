"""What somebody chose holds in every tab of their browser and over a reload; a key stays in its tab."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.outcome.routing import DEFAULT_DRIVER
from llm.endpoint import Endpoint
from mcp_door.guard import Hosts
from ui.state import chat, kept, lanes
from ui.web_guard import BROWSER_COOKIE, WebGuard

ROOT = Path(__file__).parents[2]
ONE, OTHER = "a" * 43, "b" * 43
KEY = "sk-nobody-may-see-this-key-0000"
Tab = Callable[[str], dict[str, Any]]


@pytest.fixture
def open_tab(monkeypatch: pytest.MonkeyPatch) -> Tab:
    """From here on everything happens in a new tab of that browser."""

    def open_in(browser: str) -> dict[str, Any]:
        session: dict[str, Any] = {}
        tab = SimpleNamespace(context=SimpleNamespace(cookies={BROWSER_COOKIE: browser}), session_state=session)
        for module in (kept, lanes, chat):
            monkeypatch.setattr(module, "st", tab)
        return session

    choices = kept.KeptChoices()
    monkeypatch.setattr(kept, "keep_once", lambda _name, _make: choices)
    return open_in


def test_what_was_chosen_holds_in_another_tab_and_in_no_other_browser(open_tab: Tab) -> None:
    session = open_tab(ONE)
    lanes.keep_thresholds({"act": 0.9})
    session["driver_choice"] = "llm_guarded"
    chat.take_driver()
    open_tab(ONE)
    assert (lanes.read_thresholds(), chat.read_driver()) == ({"act": 0.9}, "llm_guarded")
    open_tab(OTHER)
    assert (lanes.read_thresholds(), chat.read_driver()) == ({}, DEFAULT_DRIVER)


def test_a_key_stays_in_the_tab_it_was_typed_into(open_tab: Tab) -> None:
    open_tab(ONE)
    lanes.keep_endpoint(Endpoint("openai", "https://example.test/v1", "m", KEY, 10, login="me:secret"))
    mine = lanes.read_endpoint()
    assert mine is not None
    assert (mine.key, lanes.lacks_key()) == (KEY, False)
    open_tab(ONE)
    again = lanes.read_endpoint()
    assert again is not None
    assert (again.base_url, again.model, again.key, again.login) == ("https://example.test/v1", "m", "", "")
    assert lanes.lacks_key()


def test_a_browser_that_was_not_heard_of_for_long_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_MOST_BROWSERS", 2)
    choices = kept.KeptChoices()
    for browser in ("a", "b", "a", "c"):
        choices.of(browser)["named"] = browser
    assert (choices.of("a"), choices.of("b")) == ({"named": "a"}, {})


def answer(path: str, content_type: str, cookie: str = "") -> dict[str, str]:
    """The headers with which the guard lets an answer through."""
    sent: list[Any] = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-type", content_type.encode())]}
        )

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost:8501"), *([(b"cookie", cookie.encode())] if cookie else [])]
    scope = {"type": "http", "path": path, "headers": headers, "method": "GET"}
    asyncio.run(WebGuard(app, Hosts("localhost"))(scope, None, send))  # type: ignore[arg-type]
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}


def test_a_new_browser_gets_a_cookie_that_no_script_reads() -> None:
    cookie = answer("/chat", "text/html; charset=utf-8")["set-cookie"]
    assert re.fullmatch(rf"{BROWSER_COOKIE}=[\w-]{{43}}; Path=/; HttpOnly; SameSite=Lax", cookie)
    assert "set-cookie" not in answer("/chat", "text/html", f"other=1; {BROWSER_COOKIE}={ONE}")
    assert "set-cookie" not in answer("/static/app.js", "text/javascript")
    assert "set-cookie" in answer("/chat", "text/html", f"{BROWSER_COOKIE}=short")


def test_links_of_ours_open_in_the_same_tab() -> None:
    templates = [path for folder in ("ui", "pages") for path in (ROOT / folder).rglob("*.j2")]
    assert templates
    assert [path.name for path in templates if "_blank" in path.read_text(encoding="utf-8")] == []
