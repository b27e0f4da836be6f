"""The History page in a real browser: links, the queue by keyboard, a click on a chart."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import text

from tests.assistant.conftest import says
from tests.browser.conftest import OpenPage, press_shortcut, wait_until_drawn
from tests.pages.test_history import converse
from tests.workbench import Somebody

PATIENT = 60_000
TEXTS = ("mark the passport task as done", "who am i", "hello there", "delete the dentist task")
DISPUTED = ("show my tasks", "who am i", "add a task to buy tea")


@pytest.fixture
def said(maya: Somebody) -> None:
    """Maya has had a conversation."""
    converse(maya.workbench.database, TEXTS, handle=maya.handle)


@pytest.fixture
def disputed(jonas: Somebody) -> Somebody:
    """Jonas with three disagreements, the first of them two days ago."""
    database, answers = jonas.workbench.database, [says("Hm.")] * len(DISPUTED)
    with ThreadPoolExecutor() as elsewhere:  # Playwright's loop runs in this thread, and the LLM's client needs its own
        turn, *_ = elsewhere.submit(converse, database, DISPUTED, *answers, handle=jonas.handle).result()
    with database.write() as session:
        earlier = text("UPDATE turns SET created_at = datetime(created_at, '-2 days') WHERE id = :id")
        session.connection().execute(earlier, {"id": turn})
    return jonas


@pytest.mark.thorough("tests/pages/test_history.py::test_turns_are_listed_newest_first_each_with_its_card_and_a_link")
def test_a_turn_opens_its_card_and_inspect(open_page: OpenPage, said: None) -> None:
    page = open_page("/history?q=dentist")
    expect(page.get_by_text("1–1 of 1")).to_be_visible(timeout=PATIENT)
    wait_until_drawn(page)
    page.locator(".tl-fold summary").click()
    expect(page.get_by_role("region", name="Engine")).to_contain_text("Delete a task")
    page.get_by_role("link", name="Inspect this turn").click()
    expect(page.get_by_role("heading", level=2)).to_contain_text("after a yes", timeout=PATIENT)
    expect(page.get_by_text("as it was in that turn")).to_be_visible()


def shows(page: Page, message: str, progress: str) -> None:
    expect(page.locator(".tl-said")).to_contain_text(message, timeout=PATIENT)
    expect(page.get_by_text(progress)).to_be_visible(timeout=PATIENT)


def test_disagreements_are_judged_by_keyboard_and_taken_back_and_the_keys_are_letters_in_a_field(
    open_page: OpenPage, disputed: Somebody
) -> None:
    page = open_page(f"/history?view=review&user={disputed.handle}")
    shows(page, "add a task to buy tea", "0 of 3 reviewed")
    wait_until_drawn(page)
    # A key does nothing before its button is there, which is drawn last.
    expect(page.get_by_role("button", name=re.compile("Unsure")).last).to_be_visible()
    press_shortcut(page, "1")
    expect(page.get_by_text("Engine right. Kept as a case.")).to_be_visible(timeout=PATIENT)
    press_shortcut(page, "5")
    shows(page, "who am i", "1 of 3 reviewed")
    press_shortcut(page, "u")
    shows(page, "add a task to buy tea", "0 of 3 reviewed")
    press_shortcut(page, "2")  # the LLM's verdict is the one that was taken back
    expect(page.get_by_text("Engine wrong.")).to_be_visible(timeout=PATIENT)
    press_shortcut(page, "5")
    expect(page.get_by_role("link", name="Say it on Inspect")).to_be_visible(timeout=PATIENT)
    with page.context.expect_page() as opened:
        press_shortcut(page, "w")
    expect(opened.value.get_by_text("It should have been", exact=True)).to_be_visible(timeout=PATIENT)
    page.bring_to_front()
    press_shortcut(page, "n")
    shows(page, "who am i", "1 of 3 reviewed")
    wait_until_drawn(page)
    page.get_by_placeholder("Search the messages").press_sequentially("14n")
    expect(page.get_by_text("Nothing fits")).to_be_visible(timeout=PATIENT)
    page.get_by_placeholder("Search the messages").fill("")
    shows(page, "who am i", "1 of 3 reviewed")


def test_a_click_on_a_bar_filters_the_list(open_page: OpenPage, disputed: Somebody) -> None:
    page = open_page(f"/history?user={disputed.handle}")
    expect(page.get_by_text("1–3 of 3")).to_be_visible(timeout=PATIENT)
    first = page.locator(".js-plotly-plot .bars .point path").first
    first.hover(force=True)
    expect(page.locator(".hoverlayer .hovertext")).to_contain_text("1 turn", timeout=PATIENT)
    first.click(force=True)
    expect(page.get_by_text("1–1 of 1")).to_be_visible(timeout=PATIENT)
    expect(page.locator(".tl-said")).to_contain_text("show my tasks")
    assert "period=" in page.url
    page.reload()
    expect(page.get_by_text("1–1 of 1")).to_be_visible(timeout=PATIENT)
    page.get_by_role("button", name=":00 – ").click()
    expect(page.get_by_text("1–3 of 3")).to_be_visible(timeout=PATIENT)
    expect(page).not_to_have_url(re.compile("period="))
