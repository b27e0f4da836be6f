"""The Policy page in a real browser: from a misread message in Chat to a version that reads it right."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from db.policies.versions import list_versions
from tests.browser.conftest import OpenPage
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
    clicks = mend(page)
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
