"""The small tables of Inspect."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ui.inspect.cells import HintedCell
from ui.templates import draw


def render_table(head: Sequence[str], rows: Sequence[Sequence[str | HintedCell]], label: str) -> None:
    """A column that would be empty is left out."""
    cells = [[cell if isinstance(cell, HintedCell) else HintedCell(cell) for cell in row] for row in rows]
    used = [place for place in range(len(head)) if any(row[place].text for row in cells)]
    shown = [[row[place] for place in used] for row in cells]
    st.html(draw("inspect/table", "table", [head[place] for place in used], shown, label))
