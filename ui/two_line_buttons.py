"""Buttons of two lines: what it is, and in which words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st


def render_two_line_button(
    upper: str, lower: str, *, key: str, on_click: Callable[..., None], args: tuple[Any, ...]
) -> None:
    """Both lines are Markdown. It is as wide as its place, and wraps there."""
    st.button(f"{upper}  \n{lower}", key=key, width="stretch", wrap=True, on_click=on_click, args=args)
