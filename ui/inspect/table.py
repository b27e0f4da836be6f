"""The small tables of Inspect."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ui.inspect.cells import HintedCell
from ui.templates import draw


def render_table(head: Sequence[str], rows: Sequence[Sequence[str | HintedCell]], label: str) -> None:
    cells = [[cell if isinstance(cell, HintedCell) else HintedCell(cell) for cell in row] for row in rows]
    st.html(draw("inspect/table", "table", list(head), cells, label))
