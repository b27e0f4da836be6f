"""Settings: which model answers in the LLM lane, how careful engine and composer are, and what models cost."""

from __future__ import annotations

import streamlit as st

from ui.composer_components import render_composer
from ui.connection_components import render_connection
from ui.price_components import render_prices
from ui.threshold_components import render_thresholds

st.title("Settings")
with st.container(border=True):
    render_connection()
with st.container(border=True):
    render_thresholds()
with st.container(border=True):
    render_composer()
with st.container(border=True):
    render_prices()
