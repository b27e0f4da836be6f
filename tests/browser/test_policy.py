"""The Policy page in a real browser: from a misread message in Chat to a version that reads it right."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from db.policies.versions import list_versions
from tests.browser.conftest import OpenPage, wait_until_drawn
from tests.browser.policy_walk import PATIENT, mend, say
from tests.workbench import Somebody, Workbench

MOST_CLICKS = 8
MOST_SECONDS = 120


def test_a_misread_message_becomes_a_version_that_reads_it_right_in_eight_clicks(
    open_page: OpenPage, workbench: Workbench, maya: Somebody
) -> None:
    """For this session only: the other tests share the server, and go on with the policy that they know."""
    page = open_page("/chat")
    message = "holler at me to water the orchids"
    say(page, message)
    start = time.monotonic()
    clicks = mend(page, message)
    say(page, message)
    expect(page.locator(".tl-reply").last).to_contain_text("water the orchids")
    assert clicks <= MOST_CLICKS
    assert time.monotonic() - start < MOST_SECONDS
    assert "Water the orchids".casefold() in {task.title.casefold() for task in maya.tasks()}
    with workbench.database.read() as session:
        mine = [each for each in list_versions(session, "tasks", "en") if each.author == maya.name]
    assert len(mine) == 1
    assert mine[0].evidence["broken"] == []


@pytest.mark.thorough(
    "tests/browser/test_policy.py::test_a_misread_message_becomes_a_version_that_reads_it_right_in_eight_clicks"
)
def test_a_message_is_mended_by_keyboard(open_page: OpenPage) -> None:
    page = open_page("/policy")
    box = page.get_by_role("textbox", name="Message")
    box.fill("holler at me to eat")
    box.press("Enter")
    page.get_by_role("radio", name="Add a task").press("Space")
    put = page.get_by_role("button", name="Put into the draft").first
    expect(put).to_be_enabled(timeout=PATIENT)
    put.press("Enter")
    expect(page.get_by_role("region", name="With the draft")).to_contain_text("Will add “eat”", timeout=PATIENT)


def test_what_was_stopped_stays_stopped(open_page: OpenPage) -> None:
    """An edit of a number touches nearly every conversation: nobody waits for all of them."""
    page = open_page("/policy?view=edit&edit=threshold")
    page.get_by_role("slider").press("ArrowRight")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.get_by_text("Playing the conversations it can touch")).to_be_visible(timeout=PATIENT)
    page.get_by_role("button", name="Stop", exact=True).last.click()
    expect(page.get_by_text("Not all were looked at")).to_be_visible(timeout=PATIENT)
    page.get_by_role("radio", name="Keep for later").click()
    wait_until_drawn(page)
    expect(page.get_by_text("Not all were looked at")).to_be_visible(timeout=PATIENT)
    expect(page.get_by_role("button", name="Save for later")).to_be_enabled()


def test_whoever_puts_an_edit_in_far_down_sees_it_and_the_way_on(open_page: OpenPage) -> None:
    """Beside the work the draft stays in sight; in a narrow window a line at its foot leads to it."""
    page = open_page("/policy?text=holler+at+me+to+water+the+lilies&want=add_task")
    add = page.get_by_role("button", name="Add", exact=True).last
    expect(add).to_be_enabled(timeout=PATIENT)
    expect(page.get_by_role("button", name="Put into the draft").first).to_be_enabled(timeout=PATIENT)
    add.press("Enter")
    draft = page.get_by_role("heading", name="Draft", exact=True)
    expect(page.get_by_role("button", name="Discard")).to_be_attached(timeout=PATIENT)
    expect(draft).to_be_in_viewport()
    added = page.get_by_text("✓ Added: “holler")
    expect(added).to_be_in_viewport()
    page.set_viewport_size({"width": 1440, "height": 500})  # the draft is longer than the window
    page.get_by_role("button", name="Discard").scroll_into_view_if_needed()
    expect(added).to_be_in_viewport()
    page.set_viewport_size({"width": 1440, "height": 900})
    way = page.get_by_role("link", name="What it does, and how to save it")
    expect(way).to_be_hidden()
    page.set_viewport_size({"width": 1024, "height": 768})
    expect(way).to_be_in_viewport()
    wait_until_drawn(page)
    way.press("Enter")
    expect(draft).to_be_in_viewport()
    expect(page.get_by_role("button", name="Discard")).to_be_in_viewport()
