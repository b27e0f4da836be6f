"""HTML of our own templates, handed to the page as it is.

`st.html` looks whether a text is the name of a file, and takes indents out of every line of it: for a card with all of
its evidence that took longer than to send it. Something that says by itself how it looks as HTML is spared that.
"""

from __future__ import annotations

import streamlit as st


class _Drawn:
    def __init__(self, html: str) -> None:
        self._html = html

    def _repr_html_(self) -> str:
        return self._html


def render_html(html: str) -> None:
    st.html(_Drawn(html))
