"""A real browser in front of the running workbench."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import chromium
from tests.browser.left_behind import keep_what_was_seen
from tests.browser.tabs import give_back, take_tab
from tests.workbench import Somebody, Workbench

SECONDS = 60_000
"""Processes test beside each other: a page whose charts take two seconds alone stands still for twenty on cores that
have ten other things to do. Only a test that fails waits as long."""

SIZES = ((1440, 900), (1024, 768))
"""The windows in which nothing may be cut off."""

expect.set_options(timeout=SECONDS)


@pytest.fixture
def browser() -> Browser:
    """The one browser of this process."""
    return chromium.get_chromium()


NewTab = Callable[..., Page]
OpenPage = Callable[..., Page]


@pytest.fixture
def new_tab(browser: Browser) -> Iterator[NewTab]:
    """`new_tab()`: a blank tab with a profile of its own, for whichever server."""
    taken: list[Page] = []

    def take_one(width: int = 1440, height: int = 900, color_scheme: str = "light") -> Page:
        page = take_tab(browser, width, height, color_scheme)
        page.set_default_timeout(SECONDS)
        taken.append(page)
        return page

    yield take_one
    for page in taken:
        give_back(page)


@pytest.fixture
def open_page(new_tab: NewTab, workbench: Workbench, maya: Somebody) -> OpenPage:
    """`open_page("/tasks")`: a new browser session on that address, as Maya unless it names somebody else, drawn to
    its end: a click before that interrupts the script, and what it had not drawn yet may start without its value."""

    def open_one(path: str = "/tasks", width: int = 1440, height: int = 900, color_scheme: str = "light") -> Page:
        page = new_tab(width, height, color_scheme)
        show(page, workbench.url + as_somebody(path, maya.handle))
        return page

    return open_one


def show(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=2 * SECONDS)
    wait_until_drawn(page)


def wait_until_drawn(page: Page) -> None:
    """What is opened or pressed while the script still runs may be drawn anew, and closed again."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=2 * SECONDS)


def press_shortcut(page: Page, key: str) -> None:
    """The key of a button that is there: the page listens for it only in a task after the one that paints the button,
    and a busy browser puts that off, but never until it has nothing left to do."""
    wait_until_drawn(page)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestIdleCallback(done)))")
    page.keyboard.press(key)


def wait_until_same(page: Page, script: str, value: object) -> None:
    """Until the script gives this value. Playwright's own waiting asks again by `eval`, which the pages' content policy
    refuses: it only ever works where it need not wait."""
    until = time.monotonic() + SECONDS / 1000
    while (found := page.evaluate(script)) != value:
        assert time.monotonic() < until, f"{found!r} and not {value!r}: {script}"
        page.wait_for_timeout(50)


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
