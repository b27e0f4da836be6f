"""Who uses this browser session."""

from __future__ import annotations

import streamlit as st

USER_KEY = "user"
"""Also the name of the parameter in the address, so that a reload or a link keeps the person."""


def read_user_handle() -> str | None:
    return st.session_state.get(USER_KEY) or st.query_params.get(USER_KEY)


def choose_user(handle: str) -> None:
    st.session_state[USER_KEY] = handle
