"""A browser test that fails, for `test_left_behind.py`; pytest does not collect it by itself."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage


def test_that_fails(open_page: OpenPage) -> None:
    page = open_page("/tasks")
    expect(page.get_by_text("1–16 of 16")).to_be_visible()
    expect(page.get_by_role("heading", name="No such heading")).to_be_visible(timeout=1)
