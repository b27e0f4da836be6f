"""Browser windows that go from one test to the next: each with one tab and a profile of its own, empty in between.

Streamlit's page is ten megabytes of script. A tab that has shown it once shows it again for less than half of the work
(1.2 instead of 2.8 seconds of a core): it is neither fetched nor compiled anew. What a session of the workbench is
begins with the page's connection to the server, so a tab that was empty in between is somebody who comes anew.

Empty, but on the workbench's own address: Chromium ends the process of a page that leaves its site, and the next one
begins with no compiled script (3.4 instead of 1.9 seconds of a core for Tasks, on busy cores).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Frame, Page

BLANK = "about:blank"
LESS_MOTION: Literal["reduce"] = "reduce"
"""As people choose it in their system. What Streamlit shows in place of a chart that is still loading moves, and
without a graphics card that costs the more the longer it loads: on busy cores 5 of the 11 seconds of processor time of
an Inspect page."""

_idle: list[Page] = []
_visited: dict[Page, set[str]] = {}
"""Where a tab has been since it was given back, and where it was left then: what it stored there is cleared."""


def take_tab(browser: Browser, width: int, height: int, color_scheme: str) -> Page:
    """An empty tab of this size, which nobody else has."""
    page = _idle.pop() if _idle else _open_tab(browser)
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=color_scheme, reduced_motion=LESS_MOTION)  # type: ignore[arg-type]
    return page


def _open_tab(browser: Browser) -> Page:
    page = browser.new_context(accept_downloads=True, reduced_motion=LESS_MOTION).new_page()
    _visited[page] = set()

    def remember(frame: Frame) -> None:
        if urlsplit(frame.url).scheme == "http":
            _visited[page].add(_origin(frame.url))

    page.on("framenavigated", remember)
    return page


def give_back(page: Page) -> None:
    """Nothing of what the test did stays: no cookie, nothing stored, no further tab, no mouse over the page."""
    from playwright.sync_api import Error  # late: every test run loads this file

    try:
        for other in page.context.pages:
            if other is not page:
                other.close()
        page.mouse.move(-1, -1)
        page.unroute_all(behavior="ignoreErrors")
        _clear_stores(page)
        page.context.clear_cookies()
    except Error:  # it has crashed, or the test closed it
        _visited.pop(page, None)
        page.context.close()
    else:
        _idle.append(page)


def is_idle(page: Page) -> bool:
    """Nobody has it, or nobody has opened anything in it yet."""
    return page in _idle or page.url == BLANK


def _clear_stores(page: Page) -> None:
    """On an empty page of the same origin, for which no server is asked: the test may have stopped its own. Going there
    ends the test's page first, which would store something again."""
    page.route("**/*", lambda route: route.fulfill(body="", content_type="text/html"))
    for origin in sorted(_visited[page]) or [BLANK]:
        page.goto(origin)
        if origin != BLANK:
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.unroute_all()
    _visited[page] &= {_origin(page.url)}


def _origin(address: str) -> str:
    return f"http://{urlsplit(address).netloc}/"


def forget_tabs() -> None:
    """They went with their browser."""
    _idle.clear()
    _visited.clear()
