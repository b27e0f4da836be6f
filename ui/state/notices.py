"""The sentence about what just happened."""

from __future__ import annotations

import streamlit as st

from ui.state.values import Notice


def put_notice(notice: Notice | None) -> None:
    st.session_state["notice"] = notice


def read_notice() -> Notice | None:
    return st.session_state.get("notice")
