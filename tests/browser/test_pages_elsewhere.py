"""A real browser on a foreign name that leads to this machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.get_browser import FLAGS, find_browser
from tests.workbench import Workbench


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
