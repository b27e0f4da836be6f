"""A phone, a small window, and everything twice as large: nothing is cut off, and the message box stays in sight."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage

_SIDEWAYS = "() => { const main = document.querySelector('.stMain'); return main.scrollWidth - main.clientWidth }"
_SCROLLED = "() => document.querySelector('.stMain').scrollTop"


@pytest.mark.parametrize("path", ["/chat", "/machines", "/inspect?text=delete+the+passport+task", "/tools"])
def test_on_a_phone_a_page_starts_at_its_top_and_scrolls_down_alone(open_page: OpenPage, path: str) -> None:
    page = open_page(path, 390, 844)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    assert page.evaluate(_SIDEWAYS) == 0
    assert page.evaluate(_SCROLLED) == 0


def test_on_a_phone_every_driver_can_be_seen(open_page: OpenPage) -> None:
    page = open_page("/chat", 390, 844)
    for name in ("Engine", "Engine, then LLM", "LLM, guarded", "LLM"):
        box = page.get_by_role("radio", name=name, exact=True).bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390, name
    welcome = page.get_by_role("heading", name="Say it in your own words.").bounding_box()
    bar = page.locator(".st-key-chat_bar").bounding_box()
    assert welcome is not None
    assert bar is not None
    assert welcome["y"] >= bar["y"] + bar["height"] - 1, "it opens scrolled past its heading"


@pytest.mark.parametrize("path", ["/chat", "/machines"])
def test_in_a_small_window_the_message_box_is_in_sight(open_page: OpenPage, path: str) -> None:
    page = open_page(path, 1024, 768)
    box = page.get_by_test_id("stChatInput").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 768


def test_in_a_small_window_tasks_keep_their_day(open_page: OpenPage) -> None:
    page = open_page("/chat", 1024, 768)
    expect(page.locator(".tl-tasks tbody td:last-child").first).to_be_visible()


def test_who_drives_and_whether_the_llm_is_on_is_said_before_the_first_message(open_page: OpenPage) -> None:
    page = open_page("/chat")
    expect(page.locator(".st-key-chat_bar")).to_contain_text("Who drives · LLM lane: off")


def test_twice_as_large_there_is_room_for_the_conversation(open_page: OpenPage) -> None:
    """A window of 1440 by 900 at 200 % has 720 by 450 points."""
    page = open_page("/chat", 720, 450)
    conversation = page.locator(".st-key-conversation").bounding_box()
    assert conversation is not None
    assert conversation["height"] >= 170


def test_a_key_leads_to_the_message_box_which_stays_in_sight_twice_as_large(open_page: OpenPage) -> None:
    page = open_page("/chat", 720, 450)
    box = page.get_by_test_id("stChatInputTextArea")
    expect(box).to_be_in_viewport(ratio=1)
    page.wait_for_function("window.twolaneKeys")  # a script of its own, which comes after the page
    page.get_by_role("heading", name="Say it in your own words.").click()
    page.keyboard.press("/")
    expect(box).to_be_focused()
    expect(box).to_have_value("")
    page.keyboard.type("a/b")
    expect(box).to_have_value("a/b")
