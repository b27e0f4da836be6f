"""Settings: the model of the LLM lane, how careful engine and composer are, prices, and who has a token."""

from __future__ import annotations

import streamlit as st

from ui.people import get_user
from ui.settings.composer import render_composer
from ui.settings.connection import render_connection
from ui.settings.keeping import render_keeping
from ui.settings.prices import render_prices
from ui.settings.thresholds import render_thresholds
from ui.settings.tokens import render_tokens

user = get_user()
st.title("Settings")
with st.container(border=True):
    render_connection()
with st.container(border=True):
    render_thresholds()
with st.container(border=True):
    render_composer()
with st.container(border=True):
    render_tokens(user)
with st.container(border=True):
    render_prices()
with st.container(border=True):
    render_keeping()
