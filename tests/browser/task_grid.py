"""The task table, by the names of its columns."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.grid import Grid

WIDTHS = {"pick": 72, "done": 76, "number": 50, "title": 290, "when": 135, "priority": 85, "day": 130, "time": 70}
COLUMNS = list(WIDTHS)


def _middle(column: str) -> float:
    return sum(WIDTHS[name] for name in COLUMNS[: COLUMNS.index(column)]) + WIDTHS[column] / 2


class TaskGrid:
    def __init__(self, page: Page) -> None:
        self._grid = Grid(page)
        self._titles = page.get_by_test_id("data-grid-canvas").first.locator('td[aria-colindex="4"]')

    def cell(self, row: int, column: str) -> Locator:
        return self._grid.cell(row, COLUMNS.index(column))

    def titles(self) -> list[str]:
        expect(self.cell(0, "title")).to_be_attached()
        return self._titles.all_text_contents()

    def row_of(self, title: str) -> int:
        """Waits until the title is in the table."""
        expect(self._titles.filter(has_text=re.compile(f"^{re.escape(title)}$"))).to_be_attached()
        return self.titles().index(title)

    def click(self, row: int, column: str) -> None:
        self._grid.click_at(_middle(column), row)

    def type_into(self, row: int, column: str, text: str) -> None:
        self._grid.type_into(row, COLUMNS.index(column), text)
