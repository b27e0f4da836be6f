"""Controls whose value is kept in the address, so that a reload or a link shows the same. Several pages have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ui.state.address import first_page, show_in_address, start_from_address, start_text_from_address
from ui.state.fields import place_of, read_text, read_value

PAGE_SIZES = (25, 50, 100)


def render_segments(label: str, key: str, labels: Mapping[Any, str], default: Any, *, hint: str | None = None) -> Any:
    """A few choices side by side."""
    start_from_address(key, list(labels), default)
    chosen = st.segmented_control(
        label,
        list(labels),
        default=read_value(key),
        required=True,
        format_func=lambda value: labels[value],
        key=key,
        label_visibility="collapsed",
        on_change=first_page,
        help=hint,
    )
    show_in_address(key, default)
    return default if chosen is None else chosen


def render_choice(label: str, key: str, labels: Mapping[Any, str], default: Any) -> Any:
    """A list to choose from."""
    start_from_address(key, list(labels), default)
    chosen = st.selectbox(
        label,
        list(labels),
        index=place_of(key, list(labels)),
        format_func=lambda value: labels[value],
        key=key,
        label_visibility="collapsed",
        on_change=first_page,
    )
    show_in_address(key, default)
    return chosen


def render_search(placeholder: str, most: int) -> str | None:
    """Words to look for; None if there are none."""
    start_text_from_address("q", most)
    text = st.text_input(
        "Search",
        value=read_text("q"),
        key="q",
        live=True,
        type="search",
        max_chars=most,
        placeholder=placeholder,
        icon=":material/search:",
        label_visibility="collapsed",
        on_change=first_page,
    )
    show_in_address("q", "")
    return text or None


def render_paging(total: int) -> tuple[int, int]:
    """The limit and offset of the page chosen."""
    count, pages, size_box = st.columns([2, 6, 2], vertical_alignment="center")
    with size_box:
        size = render_choice("Rows a page", "rows", {rows: f"{rows} a page" for rows in PAGE_SIZES}, PAGE_SIZES[0])
    last = max(1, -(-total // size))
    start_from_address("page", range(1, last + 1), 1)  # also if rows went away since
    page = pages.pagination(last, default=int(read_value("page")), key="page", width="stretch") if last > 1 else 1
    show_in_address("page", 1)
    offset = (page - 1) * size
    count.caption(f"{offset + 1:,}–{min(offset + size, total):,} of {total:,}")
    return size, offset
