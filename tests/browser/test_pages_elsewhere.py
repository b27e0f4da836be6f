"""A real browser on a foreign name that leads to this machine, and on our own pages under their content policy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.get_browser import FLAGS, find_browser
from tests.workbench import Workbench

EVERY_PAGE = ("chat", "inspect?text=buy%20milk", "compare", "history", "tasks", "machines", "tools", "settings")


@pytest.fixture
def rebound(browser: Browser) -> Iterator[Page]:
    """A browser to which evil.example is this machine: pages of that name are of one origin with what answers here."""
    args = [*FLAGS, "--host-resolver-rules=MAP evil.example localhost"]
    elsewhere = browser.browser_type.launch(executable_path=find_browser(), args=args)
    yield elsewhere.new_page()
    elsewhere.close()


def test_a_name_bent_to_this_machine_opens_nothing(workbench: Workbench, rebound: Page) -> None:
    port = workbench.url.rpartition(":")[2]
    answer = rebound.goto(f"http://evil.example:{port}/settings")
    assert answer
    assert answer.status == 421
    expect(rebound.locator("body")).to_contain_text("is not among ALLOWED_HOSTS")
    opened = rebound.evaluate(
        """() => new Promise(done => {
               const socket = new WebSocket(`ws://${location.host}/_stcore/stream`)
               socket.onopen = () => done("open")
               socket.onerror = () => done("refused")
           })"""
    )
    assert opened == "refused"


def test_our_own_pages_do_all_they_need_under_their_content_policy(open_page: OpenPage, workbench: Workbench) -> None:
    page = open_page("/tasks")
    refused: list[str] = []
    page.on("console", lambda said: refused.append(said.text) if "Content Security Policy" in said.text else None)
    person = page.url.partition("user=")[2].partition("&")[0]
    for path in EVERY_PAGE:
        page.goto(f"{workbench.url}/{path}{'&' if '?' in path else '?'}user={person}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    assert refused == []
