"""A cell of Inspect's tables: its words, what the code calls it on hover, and where to go from there. No streamlit."""

from __future__ import annotations

from typing import NamedTuple


class HintedCell(NamedTuple):
    text: str
    hint: str = ""
    """What the code calls it."""
    link: str = ""
    """Of the words themselves."""
