"""A page's title with what belongs beside it: the view, or what the page is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st


@contextmanager
def title_row(title: str) -> Iterator[None]:
    """What is drawn inside stands at the other end of the line; on a phone under it."""
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute", key="title_row"):
        st.title(title, width="content")
        with st.container(width="content"):
            yield
