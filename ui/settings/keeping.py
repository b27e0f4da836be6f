"""The card on Settings that says how long messages are kept: the environment's choice, for everybody."""

from __future__ import annotations

import streamlit as st

from ui.counting import count_of
from ui.resources import find_retention

_FATES = {
    "strip": "Then they lose their words; who decided what, how sure and how quickly, stays.",
    "remove": "Then they go, and an empty conversation with them.",
}


def render_keeping() -> None:
    st.subheader("How long messages are kept", anchor=False)
    retention = find_retention()
    if retention is None:
        st.caption("For ever. `KEEP_TURNS_DAYS` in the environment sets a time, for everybody.")
        return
    st.markdown(f"For **{count_of(retention.days, 'day')}**. {_FATES[retention.fate]}")
    st.caption("Set in the environment, for everybody. Tasks, what can be undone, and saved cases stay.")
