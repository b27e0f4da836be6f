"""A way to another page, in the same tab: a link in Markdown would open a new one."""

from __future__ import annotations

import streamlit as st

from ui.templates import draw


def render_inner_link(words: str, address: str, before: str = "") -> None:
    """`before`: what stands in front of it, for example that something was started."""
    st.html(draw("inner_link", "link", before, words, address))
