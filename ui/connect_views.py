"""How to connect a program, and what connected ones do, live."""

from __future__ import annotations

import sys
from urllib.parse import urlsplit

import streamlit as st

from db.client_calls import list_client_calls
from db.users import User
from settings import ROOT, load_settings, resolve_database_url
from ui import state
from ui.client_calls_html import calls_html
from ui.connect_snippets import CLIENTS, Door, Place, make_snippet
from ui.resources import load_database, now_here

MOST_CALLS = 20
_DOORS: dict[Door, str] = {"stdio": "Over stdio", "http": "Over HTTP"}


def render_connect(user: User) -> None:
    first = next(iter(CLIENTS))
    state.start_from_address("client", list(CLIENTS), first)
    state.start_from_address("door", list(_DOORS), "stdio")
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        client = st.pills("Client", list(CLIENTS), key="client", label_visibility="collapsed", required=True)
        door = st.segmented_control(
            "Door",
            list(_DOORS),
            format_func=_DOORS.__getitem__,
            key="door",
            label_visibility="collapsed",
            required=True,
        )
    state.show_in_address("client", first)
    state.show_in_address("door", "stdio")
    snippet = make_snippet(client, _place(user), door)
    st.caption(f"{snippet.where}.")
    st.code(snippet.text, language=snippet.language, wrap_lines=True)
    if door == "http":
        st.caption("It needs a token of yours: make one on the Settings page. Without one there are no tools.")
    else:
        st.caption("The client starts the server itself, and it acts for the person whom `DEFAULT_USER` names.")


def _place(user: User) -> Place:
    parts = urlsplit(st.context.url or "http://localhost:8501")
    return Place(
        python=sys.executable,
        script=str(ROOT / "mcp_server.py"),
        url=f"{parts.scheme}://{parts.netloc}/mcp",
        database_url=resolve_database_url(load_settings().database_url),
        handle=user.handle,
    )


@st.fragment(run_every=load_settings().refresh_seconds)
def render_calls(user: User) -> None:
    """The latest calls of this person's clients; looks again by itself."""
    with load_database().read() as session:
        calls = list_client_calls(session, user.id, limit=MOST_CALLS)
    if not calls:
        st.caption("No program has called yet. As soon as one does, it shows here.")
        return
    st.html(calls_html(calls, now_here()))
