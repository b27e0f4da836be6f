"""What somebody chose for all tabs of their browser: it lasts over a reload, for as long as the server runs.

The browser is known by a cookie that says nothing else (`ui.web_guard`). Keys are never kept here: they stay in the tab
they were typed into. Without a cookie, as in a test of a page, the tab's own session keeps it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import MutableMapping
from typing import Any

import streamlit as st

from llm.process import keep_once
from ui.web_guard import BROWSER_COOKIE, is_browser_id

_MOST_BROWSERS = 2000


class KeptChoices:
    """By browser; the one that was not heard of for longest is forgotten first."""

    def __init__(self) -> None:
        self._lock, self._browsers = threading.Lock(), OrderedDict[str, dict[str, Any]]()

    def of(self, browser: str) -> dict[str, Any]:
        with self._lock:
            found = self._browsers.setdefault(browser, {})
            self._browsers.move_to_end(browser)
            while len(self._browsers) > _MOST_BROWSERS:
                self._browsers.popitem(last=False)
            return found


def read_kept(name: str, default: Any = None) -> Any:
    return _choices().get(name, default)


def keep(name: str, value: Any) -> None:
    _choices()[name] = value


def _choices() -> MutableMapping[Any, Any]:
    browser = st.context.cookies.get(BROWSER_COOKIE, "")
    if not is_browser_id(browser):
        return st.session_state
    return keep_once("kept choices", KeptChoices).of(browser)
