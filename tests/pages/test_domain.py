"""The page that a domain gets which brings none of its own, for the parcels of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from db.connection import Database
from settings import load_settings
from tests.domains.conftest import domains_in

EXAMPLES = Path(__file__).parent.parent / "example_domains"
pytestmark = pytest.mark.usefixtures("workbench", "parcels")


@pytest.fixture
def parcels(monkeypatch: pytest.MonkeyPatch, workbench: Database) -> Iterator[None]:
    monkeypatch.setenv("LLM_ENDPOINT", "off")
    load_settings.cache_clear()
    with domains_in(EXAMPLES):
        yield


def draw() -> None:
    from ui.domain.page import render_domain

    render_domain("parcels")


def open_parcels() -> AppTest:
    page = AppTest.from_function(draw, default_timeout=30).run()
    assert not page.exception, page.exception
    return page


def press(page: AppTest, label: str) -> AppTest:
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception
    return page


def say(page: AppTest, text: str) -> AppTest:
    page.chat_input[0].set_value(text).run()
    assert not page.exception
    return page


def html(page: AppTest) -> str:
    return "".join(each.proto.body for each in page.get("html"))


def test_an_empty_page_says_what_can_be_asked_for_and_offers_the_examples() -> None:
    page = open_parcels()
    assert "Send a parcel to another address." in html(page)
    assert page.info[0].value == "There is nothing here yet."
    assert "Garden chairs" in html(press(page, "Load the examples"))


def test_a_message_changes_a_thing_and_undo_takes_it_back() -> None:
    page = press(open_parcels(), "Load the examples")
    say(page, "send the shoes to Elm Street 5")
    assert "&#39;Running shoes&#39; (#2) now goes to Elm Street 5." in html(page)
    assert '<span class="tl-chip tl-mark">changed</span>' in html(page)
    assert "redirect_parcel" in html(page)
    press(page, "Undo")
    assert "Elm Street 5 · " not in html(page)
    assert "12 Mill Lane" in html(page)


def test_a_hostile_name_is_only_a_name() -> None:
    page = press(open_parcels(), "Load the examples")
    say(page, "send the teapot to <script>alert(1)</script>")
    assert "<script>alert" not in html(page)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html(page)


def test_the_chat_can_be_cleared() -> None:
    page = say(press(open_parcels(), "Load the examples"), "where are the garden chairs?")
    assert "is at the depot in Leeds" in html(page)
    assert "is at the depot in Leeds" not in html(press(page, "Clear the chat"))
