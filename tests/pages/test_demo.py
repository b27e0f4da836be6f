"""The Demo page, run by Streamlit's own test runner on the real store."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from db.connection import Database
from settings import load_settings
from tests.pages.opening import open_at
from ui.demo.run import DemoRun, find_run


@pytest.fixture(autouse=True)
def llm_off(monkeypatch: pytest.MonkeyPatch, workbench: Database) -> None:
    monkeypatch.setenv("LLM_ENDPOINT", "off")
    load_settings.cache_clear()


def html(page: AppTest) -> str:
    return " ".join(str(each.proto.body) for each in page.get("html"))


def begin(page: AppTest, name: str) -> DemoRun:
    next(button for button in page.button if f"**{name}**" in button.label).click().run()
    assert not page.exception, page.exception
    print(repr(page.query_params["run"]))
    run = find_run(str(page.query_params["run"]))
    assert run
    return run


def test_smoke(workbench: Database) -> None:
    page = open_at("demo", {})
    run = begin(page, "Keyword traps")
    print([b.label for b in page.button], html(page)[-3000:])
    for _ in range(5):
        page.button(key="demo_step").click().run()
        assert not page.exception, page.exception
    print(html(page)[-3000:], run.beat)
