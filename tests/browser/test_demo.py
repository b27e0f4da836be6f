"""The demo in a real browser: it plays by itself, from its start screen to the score."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, press_shortcut, wait_until_drawn
from tests.browser.test_accessibility import find_violations


def test_a_scenario_plays_itself_from_the_start_to_the_score(open_page: OpenPage) -> None:
    """The one with a dead LLM: a lane that is really asked, and costs nothing. On the way a look at the start screen
    and at the score, by axe-core and for a projector."""
    page = open_page("/chat")
    page.get_by_role("button", name="Demo").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Two lanes, one message")
    wait_until_drawn(page)
    assert find_violations(page) == []
    page.get_by_role("button", name="A dead LLM").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A dead LLM")
    page.get_by_role("radio", name="4×").click()  # while it plays, so the page is never quite still
    expect(page.locator(".td-board")).to_be_visible()  # nobody has pressed anything: it played
    expect(page.locator(".td-steps li")).to_have_count(3)
    expect(page.get_by_role("row", name="✓ Right")).to_contain_text("3")
    expect(page.get_by_role("row", name="– No answer")).to_contain_text("3")
    expect(page.get_by_role("row", name="Cost")).to_contain_text("no cost")
    press_shortcut(page, "f")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    page.emulate_media(color_scheme="dark")
    page.mouse.move(1, 1)  # the buttons are elsewhere now, and the mouse stood still: it may be over one with a hint
    expect(page.get_by_test_id("stTooltipContent")).to_have_count(0)
    assert find_violations(page) == []
    press_shortcut(page, "f")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    wait_until_drawn(page)
    page.get_by_role("button", name="Next scenario").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("An LLM that is wrong")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("An LLM that is wrong")
