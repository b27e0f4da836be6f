"""The task table as a person uses it: it is painted on a canvas, so clicks go to places in it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

HEADER_HEIGHT, ROW_HEIGHT = 36, 38
WIDTHS = {"pick": 72, "done": 76, "number": 50, "title": 320, "when": 110, "day": 130, "time": 70, "priority": 85}


class TaskGrid:
    def __init__(self, page: Page) -> None:
        self._page = page
        self._canvas = page.get_by_test_id("data-grid-canvas").first
        self._titles = self._canvas.locator('td[aria-colindex="4"]')

    def cell(self, row: int, column: str) -> Locator:
        """The cell in the table that the canvas offers to screen readers."""
        return self._canvas.locator(f'[data-testid="glide-cell-{list(WIDTHS).index(column)}-{row}"]')

    def titles(self) -> list[str]:
        expect(self.cell(0, "title")).to_be_attached()
        return self._titles.all_text_contents()

    def row_of(self, title: str) -> int:
        """Waits until the title is in the table."""
        expect(self._titles.filter(has_text=re.compile(f"^{re.escape(title)}$"))).to_be_attached()
        return self.titles().index(title)

    def click(self, row: int, column: str) -> None:
        columns = list(WIDTHS)
        left = sum(WIDTHS[name] for name in columns[: columns.index(column)])
        y = HEADER_HEIGHT + row * ROW_HEIGHT + ROW_HEIGHT / 2
        self._canvas.scroll_into_view_if_needed()
        box = self._canvas.bounding_box()
        assert box
        self._page.mouse.click(box["x"] + left + WIDTHS[column] / 2, box["y"] + y)

    def select(self, row: int, column: str) -> None:
        """Clicks until the cell is selected: a click while the table is being painted goes nowhere."""
        for attempt in range(5):
            self.click(row, column)
            try:
                expect(self.cell(row, column)).to_have_attribute("aria-selected", "true", timeout=3_000)
            except AssertionError:
                if attempt == 4:
                    raise
            else:
                return

    def type_into(self, row: int, column: str, text: str) -> None:
        """Select the cell, open it with Enter, type, Enter."""
        field = self._page.locator("#portal textarea, #portal input").first
        for attempt in range(5):
            self.select(row, column)
            self._page.keyboard.press("Enter")
            try:
                expect(field).to_be_visible(timeout=3_000)
            except AssertionError:
                if attempt == 4:
                    raise
            else:
                break
        field.fill(text)
        field.press("Enter")
