"""Settings: the model of the LLM lane, how careful engine and composer are, prices, and who has a token."""

from __future__ import annotations

import streamlit as st

from ui.components import get_user
from ui.composer_components import render_composer
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
    render_composer()
with st.container(border=True):
    render_tokens(user)
with st.container(border=True):
    render_prices()
