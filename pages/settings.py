"""Settings: which model answers in the LLM lane, how careful the engine is, what models cost, and who has a token."""

from __future__ import annotations

import streamlit as st

from ui.components import get_user
from ui.connection_components import render_connection
from ui.price_components import render_prices
from ui.threshold_components import render_thresholds
from ui.token_components import render_tokens

user = get_user()
st.title("Settings")
with st.container(border=True):
    render_connection()
with st.container(border=True):
    render_thresholds()
with st.container(border=True):
    render_tokens(user)
with st.container(border=True):
    render_prices()
