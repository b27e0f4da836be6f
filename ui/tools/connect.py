"""How to connect a program."""

from __future__ import annotations

import sys
from urllib.parse import urlsplit

import streamlit as st

from db.users import User
from settings import ROOT, load_settings, resolve_database_url, without_password
from ui.address_controls import render_segments
from ui.state.address import show_in_address, start_from_address
from ui.state.fields import read_value
from ui.tools.snippets import CLIENTS, DoorKind, WorkbenchPlace, make_snippet

_DOORS: dict[DoorKind, str] = {"stdio": "Over stdio", "http": "Over HTTP"}


def render_connect(user: User) -> None:
    first = next(iter(CLIENTS))
    start_from_address("client", list(CLIENTS), first)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        client = st.pills(
            "Client",
            list(CLIENTS),
            default=read_value("client"),
            key="client",
            label_visibility="collapsed",
            required=True,
        )
        with st.container(width="content"):
            door: DoorKind = render_segments("Door", "door", _DOORS, "stdio")
    show_in_address("client", first)
    snippet = make_snippet(client or first, _place(user), door)
    st.caption(f"{snippet.where}.")
    st.code(snippet.text, language=snippet.language, wrap_lines=True)
    if door == "http":
        st.caption("It needs a token of yours: make one on the Settings page. Without one there are no tools.")
    else:
        st.caption("The client starts the server itself, and it acts for the person whom `DEFAULT_USER` names.")


def _place(user: User) -> WorkbenchPlace:
    parts = urlsplit(st.context.url or "http://localhost:8501")
    return WorkbenchPlace(
        python=sys.executable,
        script=str(ROOT / "mcp_server.py"),
        url=f"{parts.scheme}://{parts.netloc}/mcp",
        database_url=without_password(resolve_database_url(load_settings().database_url)),
        handle=user.handle,
    )
