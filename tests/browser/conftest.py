"""A real browser in front of the running workbench."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import chromium
from tests.browser.left_behind import keep_what_was_seen
from tests.workbench import Somebody, Workbench

SECONDS = 60_000
"""Processes test beside each other: a page whose charts take two seconds alone stands still for twenty on cores that
have ten other things to do. Only a test that fails waits as long."""

LESS_MOTION: Literal["reduce"] = "reduce"
"""As people choose it in their system. What Streamlit shows in place of a chart that is still loading moves, and
without a graphics card that costs the more the longer it loads: on busy cores 5 of the 11 seconds of processor time of
an Inspect page."""

SIZES = ((1440, 900), (1024, 768))
"""The windows in which nothing may be cut off."""

expect.set_options(timeout=SECONDS)


@pytest.fixture
def browser() -> Browser:
    """The one browser of this process; pages are opened in contexts of their own."""
    return chromium.get_chromium()


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, workbench: Workbench, maya: Somebody) -> Iterator[OpenPage]:
    """`open_page("/tasks")`: a new browser session on that address, as Maya unless it names somebody else, drawn to
    its end: a click before that interrupts the script, and what it had not drawn yet may start without its value."""
    contexts = []

    def open_one(path: str = "/tasks", width: int = 1440, height: int = 900, color_scheme: str = "light") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            accept_downloads=True,
            color_scheme=color_scheme,  # type: ignore[arg-type]
            reduced_motion=LESS_MOTION,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(SECONDS)
        page.goto(workbench.url + as_somebody(path, maya.handle))
        expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=2 * SECONDS)
        wait_until_drawn(page)
        return page

    yield open_one
    for context in contexts:
        context.close()


def wait_until_drawn(page: Page) -> None:
    """What is opened or pressed while the script still runs may be drawn anew, and closed again."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=2 * SECONDS)


def open_panel(page: Page, name: str) -> None:
    """Opens what is folded up under this name: by keyboard, for a click needs a page that stands still."""
    wait_until_drawn(page)
    panel = page.get_by_test_id("stExpander").locator("details").filter(has=page.get_by_text(name, exact=True))
    panel.locator("summary").press("Enter")
    expect(panel).to_have_attribute("open", "")


def as_somebody(path: str, handle: str) -> str:
    if "user=" in path:
        return path
    return f"{path}{'&' if '?' in path else '?'}user={handle}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    if report.failed and call.when != "teardown":
        keep_what_was_seen(item, report)
    return report
