"""From a misread message in Chat to a version in force that reads it right, as somebody clicks it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import wait_until_drawn

PATIENT = 90_000


class Clicks:
    """Counts them: the way must be short."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, what: Locator) -> None:
        expect(what).to_be_enabled(timeout=PATIENT)
        what.click()
        self.count += 1


def say(page: Page, text: str) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(text)
    box.press("Enter")
    expect(page.locator(".tl-said").last).to_contain_text(text)
    wait_until_drawn(page)


def mend(page: Page, message: str) -> int:
    """What was said last, for this session only; ends in Chat again, with the message ready to be sent. How many
    clicks it took."""
    click = Clicks()
    click(page.get_by_role("link", name="Inspect").last)
    click(page.get_by_role("button", name="Why not / fix it"))
    click(page.get_by_role("radio", name="Add a task"))
    expect(page.get_by_role("heading", name="Why not")).to_be_visible(timeout=PATIENT)
    click(page.get_by_role("button", name="Put into the draft").first)
    click(page.get_by_role("radio", name=re.compile("Broken 0")))
    expect(page.get_by_text("Nothing that was right becomes wrong.")).to_be_visible(timeout=PATIENT)
    click(page.get_by_role("radio", name="Only this session"))
    click(page.get_by_role("button", name="Save and use in this session"))
    expect(page.get_by_text(re.compile("Saved as version"))).to_be_visible(timeout=PATIENT)
    click(page.get_by_role("button", name=re.compile(f"Say .{message}. in Chat")))
    expect(page.get_by_test_id("stChatInputTextArea")).to_have_value(message, timeout=PATIENT)
    return click.count
