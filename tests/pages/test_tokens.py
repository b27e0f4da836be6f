"""The token card of the Settings page, run by Streamlit's own test runner."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from db.clients.access_tokens import TokenRefusedError, check_token, create_token, list_tokens
from db.connection import Database
from db.users import find_user
from settings import load_settings
from tests.pages.opening import open_at
from ui.resources import now_here

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(autouse=True)
def no_model(workbench: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_ENDPOINT", "off")
    load_settings.cache_clear()


def open_page(**address: str) -> AppTest:
    return open_at("settings", address)


def press(page: AppTest, label: str) -> AppTest:
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception
    return page


def make(page: AppTest, name: str, life: str = "90 days") -> str:
    page.text_input(key="token_name").set_value(name)
    page.selectbox(key="token_life").set_value(life)
    press(press(page, "Make a token"), "Yes, make it")
    return page.code[0].value


def texts(page: AppTest) -> str:
    kinds = (page.markdown, page.caption, page.success, page.error, page.code)
    return " ".join(each.value for kind in kinds for each in kind).replace("\\", "")


def handle_of(database: Database, token: str, after: timedelta = timedelta()) -> str:
    with database.read() as session:
        return check_token(session, token, now=datetime.now(UTC) + after).user.handle


def test_a_token_is_shown_once_and_works(workbench: Database) -> None:
    page = open_page()
    assert "No program has a token" in texts(page)
    token = make(page, "My laptop")
    assert handle_of(workbench, token) == "maya"
    assert page.text_input(key="token_name").value == ""
    press(page, "I have copied it")
    assert not page.code
    secret = token.split("_", 2)[2]
    assert secret not in texts(page)
    again = texts(open_page())
    assert "My laptop" in again
    assert secret not in again


@pytest.mark.parametrize(("life", "days"), [("30 days", 30), ("90 days", 90), ("A year", 365)])
def test_a_token_lives_as_long_as_chosen(workbench: Database, life: str, days: int) -> None:
    token = make(open_page(), "My laptop", life)
    assert handle_of(workbench, token, timedelta(days=days, minutes=-5)) == "maya"
    with pytest.raises(TokenRefusedError, match="expired"):
        handle_of(workbench, token, timedelta(days=days, minutes=5))


def test_a_token_that_never_expires_does_not(workbench: Database) -> None:
    token = make(open_page(), "My laptop", "Never expires")
    assert handle_of(workbench, token, timedelta(days=5000)) == "maya"


def test_a_token_needs_a_name(workbench: Database) -> None:
    page = press(open_page(), "Make a token")
    assert "needs a name" in page.error[0].value
    assert not page.code


def test_a_token_is_made_only_after_a_fresh_yes(workbench: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    page = open_page()
    page.text_input(key="token_name").set_value("My laptop")
    press(page, "Make a token")
    assert "Make a token for “My laptop”?" in texts(page)
    assert "for 90 days" in texts(page)
    assert count_tokens(workbench) == 0
    press(page, "No")
    assert "Make a token for" not in texts(page)
    page.text_input(key="token_name").set_value("My laptop")
    press(page, "Make a token")
    later = now_here() + timedelta(minutes=3)
    monkeypatch.setattr("ui.settings.token_actions.now_here", lambda: later)
    press(page, "Yes, make it")
    assert "too old" in page.error[0].value
    assert count_tokens(workbench) == 0


def count_tokens(database: Database) -> int:
    with database.read() as session:
        maya = find_user(session, "maya")
        assert maya
        return len(list_tokens(session, maya.id))


def test_revoking_asks_first_and_ends_the_token(workbench: Database) -> None:
    page = open_page()
    token = make(page, "My laptop")
    assert handle_of(workbench, token) == "maya"
    page.button(key=f"revoke_{token.split('_')[1]}").click().run()
    assert "is revoked" in page.success[0].value
    assert not page.code  # nor is it shown any longer
    assert "Revoked and expired (1)" in [each.label for each in page.expander]
    with pytest.raises(TokenRefusedError, match="revoked"):
        handle_of(workbench, token)


def test_everybody_has_tokens_of_their_own(workbench: Database) -> None:
    with workbench.write() as session:
        jonas = find_user(session, "jonas")
        assert jonas
        create_token(session, jonas.id, "The tablet of Jonas", now=datetime.now(UTC))
    page = open_page()
    assert "tablet" not in texts(page)
    token = make(page, "Of Maya")
    assert "tablet" in texts(open_page(user="jonas"))
    page.query_params["user"] = "jonas"
    page.run()
    assert token not in texts(page)


def test_a_name_is_shown_as_it_is_and_never_as_formatting(workbench: Database) -> None:
    page = open_page()
    make(page, "**bold** [link](http://x)")
    assert r"\*\*bold\*\*" in " ".join(each.value for each in page.markdown)
