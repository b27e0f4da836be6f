"""A table as a person uses it by keyboard. It is painted on a canvas, and what it says to screen readers is a table."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

HEADER_HEIGHT, ROW_HEIGHT = 36, 38
ATTEMPTS = 6
"""A key that is pressed while the page draws the table anew goes nowhere, so it is repeated."""
SECONDS = 5_000
CELL = "glide-cell-{column}-{row}"


class Grid:
    """The first table of the page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._frame = page.get_by_test_id("stDataFrame").first
        self._canvas = self._frame.get_by_test_id("data-grid-canvas").first
        self._selected = self._canvas.locator('td[data-testid^="glide-cell-"][aria-selected="true"]').first

    def cell(self, row: int, column: int) -> Locator:
        return self._canvas.get_by_test_id(CELL.format(column=column, row=row))

    def click_at(self, x: float, row: int) -> None:
        """Only when the table stands still and nothing lies over it: a click at a place on the screen would meet what
        the page has just moved there."""
        self._frame.click(position={"x": x, "y": HEADER_HEIGHT + (row + 0.5) * ROW_HEIGHT})

    def type_into(self, row: int, column: int, text: str) -> None:
        """Go to the cell by keyboard, open it with Enter, type, Enter."""
        expect(self.cell(row, column)).to_be_attached()
        field = self._page.locator("#portal textarea, #portal input").first
        for attempt in range(ATTEMPTS):
            try:
                self._go_to(row, column)
                self._page.keyboard.press("Enter")
                expect(field).to_be_visible(timeout=SECONDS)
            except AssertionError:
                if attempt == ATTEMPTS - 1:
                    raise
            else:
                break
        field.fill(text)
        field.press("Enter")

    def _go_to(self, row: int, column: int) -> None:
        self._canvas.focus()  # selects the cell that was selected before, or the first one
        expect(self._selected).to_be_attached(timeout=SECONDS)
        _, _, from_column, from_row = str(self._selected.get_attribute("data-testid")).split("-")
        right, down = column - int(from_column), row - int(from_row)
        keys = ["ArrowRight" if right > 0 else "ArrowLeft"] * abs(right) + [
            "ArrowDown" if down > 0 else "ArrowUp"
        ] * abs(down)
        for key in keys:
            self._page.keyboard.press(key)
        expect(self.cell(row, column)).to_have_attribute("aria-selected", "true", timeout=SECONDS)
