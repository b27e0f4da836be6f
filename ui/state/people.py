"""Who uses this browser session."""

from __future__ import annotations

import streamlit as st

USER_KEY = "user"
"""Also the name of the parameter in the address, so that a reload or a link keeps the person."""


_LOGIN_KEY = "login"


def is_same_login(login_id: str) -> bool:
    """Whether all that this session remembers is of this login."""
    return bool(st.session_state.get(_LOGIN_KEY, login_id) == login_id)


def begin_with(login_id: str) -> None:
    """What another login left behind in this tab goes."""
    if not is_same_login(login_id):
        st.session_state.clear()
    st.session_state[_LOGIN_KEY] = login_id


def begin_anew() -> None:
    """Nothing is remembered for who is not logged in."""
    st.session_state.clear()


def read_user_handle() -> str | None:
    return st.session_state.get(USER_KEY) or st.query_params.get(USER_KEY)


def choose_user(handle: str) -> None:
    st.session_state[USER_KEY] = handle
