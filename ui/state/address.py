"""What the address keeps beside the session, so that a reload or a link shows the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

TURN_KEY = "at"
"""The turn under review, in the address only: a link opens the queue at it."""


def start_from_address(key: str, options: Sequence[Any], default: Any) -> None:
    """Give a choice its first value: what the address names, if it is one of the options.

    Streamlit's own binding writes the label into the address ("Open 16"); ours writes the value. The two
    do not mix: a write from here would drop what the browser has bound in the meantime.
    """
    if st.session_state.get(key) not in options:
        named = {str(option): option for option in options}
        st.session_state[key] = named.get(st.query_params.get(key, ""), default)


def start_text_from_address(key: str, most: int) -> None:
    """The same for a text field, which takes any text up to its length."""
    if key not in st.session_state:
        st.session_state[key] = st.query_params.get(key, "")[:most]


def show_in_address(key: str, default: Any) -> None:
    """Keep the address in step, so that a reload or a link shows the same; a default needs no mention."""
    value = st.session_state[key]
    if value != default:
        st.query_params[key] = str(value)
    elif key in st.query_params:
        del st.query_params[key]


def read_address(name: str) -> str:
    return st.query_params.get(name, "")


def put_in_address(name: str, value: str) -> None:
    st.query_params[name] = value


def drop_from_address(name: str) -> None:
    if name in st.query_params:
        del st.query_params[name]


def first_page() -> None:
    """Another filter or search starts at its first page, and a queue at its first turn."""
    st.session_state["page"] = 1
    drop_from_address(TURN_KEY)
