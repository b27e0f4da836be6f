"""What fields and panels hold, by their keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st


def start_value(key: str, value: Any) -> None:
    """The first value of a widget. It is forgotten when another page runs; what was saved has keys of its own."""
    if key not in st.session_state:
        st.session_state[key] = value


def place_of(key: str, options: Sequence[Any]) -> int:
    """Where the value of a choice stands among its options: as the choice's own first value it goes with every run.

    A browser loads the code of a field when it first needs it, which takes a while on a busy machine. By then another
    run may have drawn the page again, and only the first one said what the session has set: the field would start at
    its first option, and with the next click that would count as chosen. So a click on Run once started it for
    another person.
    """
    value = st.session_state.get(key)
    return options.index(value) if value in options else 0


def put_value(key: str, value: Any) -> None:
    """Only for a widget that is drawn later in this run, or from a callback."""
    st.session_state[key] = value


def read_value(key: str) -> Any:
    return st.session_state.get(key)


def drop_values(*keys: str) -> None:
    """Let widgets start again from what is saved."""
    for key in keys:
        st.session_state.pop(key, None)


def read_text(key: str) -> str:
    return str(st.session_state.get(key) or "")


def put_text(key: str, text: str) -> None:
    st.session_state[key] = text


def is_drawn(key: str) -> bool:
    """Whether a field exists; fields of a page are dropped when another page runs."""
    return key in st.session_state


def is_open(panel: str) -> bool:
    return bool(st.session_state.get(f"open:{panel}"))


def set_open(panel: str, open_now: bool) -> None:
    st.session_state[f"open:{panel}"] = open_now
