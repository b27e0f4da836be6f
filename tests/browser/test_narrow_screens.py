"""A phone, a small window, and everything twice as large: nothing is cut off, and the message box stays in sight.

That every page starts at its top on a phone and fits its width: `test_accessibility.py`."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, wait_until_drawn, wait_until_same
from tests.workbench import Somebody, now

PHONE, SMALL = (390, 844), (1024, 768)
NO_DAY_IS_CUT = (
    "[...document.querySelectorAll('.tl-tasks td:last-child')].every(td => td.scrollWidth <= td.clientWidth)"
)
ENDS_ABOVE_ITS_BOX = """() => {
    const talk = document.querySelector('.st-key-conversation').getBoundingClientRect();
    return talk.bottom <= document.querySelector('[data-testid="stChatInput"]').getBoundingClientRect().top;
}"""
VALUES_HAVE_ROOM = """() => {
    const values = [...document.querySelectorAll('.tl-call td:nth-child(2)')];
    return values.length > 0 && values.every(td => td.clientWidth >= 70 && td.scrollWidth <= td.clientWidth + 1);
}"""
TWICE_AS_LARGE = (720, 450)
"""A window of 1440 by 900 at 200 % has that many points."""


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def say(page: Page, text: str) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(text)
    box.press("Enter")
    expect(page.locator(".tl-said").last).to_contain_text(text)
    wait_until_drawn(page)


def box_is_in_sight(page: Page) -> None:
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_in_viewport(ratio=1)


def test_the_chat_on_a_phone_in_a_small_window_and_twice_as_large(open_page: OpenPage, maya: Somebody) -> None:
    """On a phone every driver can be seen, and the chat starts at its top and ends above its box; in a small window and
    twice as large it has its box, its days and its conversation."""
    maya.call("add_task", title="Ring the bell", due_date=f"{now():%Y-%m-%d}T00:00")
    maya.call("add_task", title="Find the key", due_date="2024-01-02")
    page = open_page("/chat", *PHONE)
    every_driver_can_be_seen_and_the_chat_is_at_its_top(page)
    resize(page, SMALL)
    box_is_in_sight(page)
    expect(page.locator(".tl-tasks tbody td:last-child").first).to_be_visible()
    # Who drives, and whether the LLM is on, is said before the first message.
    expect(page.locator(".st-key-chat_bar")).to_contain_text("Who drives · LLM lane: off")
    wait_until_same(page, NO_DAY_IS_CUT, True)
    resize(page, (1440, 900))
    wait_until_same(page, NO_DAY_IS_CUT, True)
    resize(page, TWICE_AS_LARGE)
    box_is_in_sight(page)
    wait_until_same(page, "document.querySelector('.st-key-conversation').getBoundingClientRect().height >= 170", True)
    a_key_leads_to_the_message_box(page)
    resize(page, PHONE)
    say(page, "show my tasks")
    wait_until_same(page, ENDS_ABOVE_ITS_BOX, True)
    # The tasks are below the message box, and their head is seen without scrolling.
    expect(page.locator(".st-key-task_panel p").first).to_be_in_viewport(ratio=1)
    resize(page, SMALL)
    a_new_turn_comes_into_sight_for_somebody_who_had_scrolled_up(page)
    an_open_question_stays_in_sight_above_its_cards(page)


def every_driver_can_be_seen_and_the_chat_is_at_its_top(page: Page) -> None:
    for name in ("Engine", "Both, weighed", "LLM, guarded", "LLM"):
        box = page.get_by_role("radio", name=name, exact=True).bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= PHONE[0], name
    welcome = page.get_by_role("heading", name="Say it in your own words.").bounding_box()
    bar = page.locator(".st-key-chat_bar").bounding_box()
    assert welcome is not None
    assert bar is not None
    assert welcome["y"] >= bar["y"] + bar["height"] - 1, "it opens scrolled past its heading"


def an_open_question_stays_in_sight_above_its_cards(page: Page) -> None:
    resize(page, (1024, 560))
    say(page, "delete ring the bell")
    expect(page.get_by_role("button", name="Yes")).to_be_in_viewport(ratio=1)
    expect(page.locator(".tl-card").last).to_be_in_viewport()


def a_key_leads_to_the_message_box(page: Page) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    wait_until_same(page, "Boolean(window.twolaneKeys)", True)  # a script of its own, which comes after the page
    page.get_by_role("heading", name="Say it in your own words.").click()
    page.keyboard.press("/")
    expect(box).to_be_focused()
    expect(box).to_have_value("")
    page.keyboard.type("a/b")
    expect(box).to_have_value("a/b")


def a_new_turn_comes_into_sight_for_somebody_who_had_scrolled_up(page: Page) -> None:
    for text in ("list all tasks", "who am i"):
        say(page, text)
    page.locator(".st-key-conversation").hover()
    page.mouse.wheel(0, -5000)
    expect(page.locator(".tl-said").last).not_to_be_in_viewport()
    say(page, "delete the passport task")
    expect(page.get_by_role("button", name="Yes", exact=True)).to_be_in_viewport(ratio=1)


def test_machines_have_their_box_in_sight_and_a_value_in_a_narrow_card_wraps_at_its_words(open_page: OpenPage) -> None:
    page = open_page("/machines", *SMALL)
    box_is_in_sight(page)
    say(page, "turn off Frigo Cucina")
    wait_until_same(page, VALUES_HAVE_ROOM, True)
    resize(page, PHONE)
    wait_until_same(page, ENDS_ABOVE_ITS_BOX, True)
