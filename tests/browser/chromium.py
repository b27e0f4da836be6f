"""The one Chromium of a process that tests.

Playwright keeps an event loop running in the thread that started it, and there a test that starts a loop of its own
fails. So the browser stays open from one browser test to the next, and is closed before any other test.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.get_browser import FLAGS, find_browser
from tests.browser.tabs import forget_tabs

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_NOT_WANTED = (
    # What Playwright turns off itself: Chromium reads the last such list only.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    # The address bar's suggestions are a web page of their own, loaded with every window that nobody sees: opening a
    # page takes less than half of the work without them (0.6 instead of 1.3 seconds of a core, Chromium 156).
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
)

_NO_OPTIMISING = "--js-flags=--no-opt --no-maglev"
"""A page here lives for seconds: what Chromium spends on making its scripts quicker does not come back in that time
(a fifth of the work of opening a page); nor does it where axe-core computes for a second."""

_open: list[Browser] = []
"""At most one."""
_closing = ExitStack()


def find_chromium() -> Browser | None:
    """The browser if it is open; opens none."""
    return _open[0] if _open else None


def get_chromium() -> Browser:
    from playwright.sync_api import sync_playwright  # late: every test run loads this file

    if not _open:
        path = find_browser()
        assert path, "Run `make browser` first."
        playwright = _closing.enter_context(sync_playwright())
        flags = [*FLAGS, f"--disable-features={','.join(_NOT_WANTED)}", _NO_OPTIMISING]
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        _closing.callback(browser.close)
        _open.append(browser)
    return _open[0]


def close_chromium() -> None:
    _open.clear()
    forget_tabs()
    _closing.close()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.path.parent != Path(__file__).parent:
        close_chromium()


def pytest_sessionfinish() -> None:
    close_chromium()
