"""What connected programs do, live. Tools and History show it."""

from __future__ import annotations

import streamlit as st

from db.clients.calls import list_client_calls
from db.users import User
from settings import load_settings
from ui.client_calls.table import calls_html
from ui.resources import load_database, now_here

MOST_CALLS = 20


@st.fragment(run_every=load_settings().refresh_seconds)
def render_calls(user: User) -> None:
    """The latest calls of this person's clients; looks again by itself."""
    with load_database().read() as session:
        calls = list_client_calls(session, user.id, limit=MOST_CALLS)
    if not calls:
        st.caption("No program has called yet. As soon as one does, it shows here.")
        return
    st.html(calls_html(calls, now_here()))
