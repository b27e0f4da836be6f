"""HTML of our own templates, handed to the page as it is.

`st.html` looks whether a text is the name of a file, and takes indents out of every line of it: for a card with all of
its evidence that took longer than to send it. Something that says by itself how it looks as HTML is spared that.

Streamlit also takes styles and comments out of each, only to see whether anything is left. Where something else stands
first, something is. `tests/ui/test_drawn_html.py` holds what this relies on.
"""

from __future__ import annotations

import streamlit as st
from streamlit.elements import html as element

_is_only_styles = element._html_only_style_tags
_MAY_BE_ONLY_STYLES = ("<!--", "<style")


def tell_styles_by_their_beginning() -> None:
    """Called once, as the server starts."""
    element._html_only_style_tags = _may_be_only_styles


def _may_be_only_styles(html_content: str) -> bool:
    begins = html_content.lstrip()[:6].lower()
    return (not begins or begins.startswith(_MAY_BE_ONLY_STYLES)) and _is_only_styles(html_content)


class _Drawn:
    def __init__(self, html: str) -> None:
        self._html = html

    def _repr_html_(self) -> str:
        return self._html


def render_html(html: str) -> None:
    st.html(_Drawn(html))
