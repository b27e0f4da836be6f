"""Tools: one catalogue, three ways in; how other programs connect, and what they do."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui.address_controls import render_segments
from ui.client_calls.live import render_calls
from ui.people import get_user
from ui.tools.connect import render_connect
from ui.tools.views import render_guidance, render_mapping, render_registry

VIEWS = {
    "connect": ":material/cable: Connect",
    "registry": ":material/build: Registry",
    "mapping": ":material/alt_route: Mapping",
    "guidance": ":material/menu_book: Guidance",
}

st.html(Path(__file__).parent.parent / "assets" / "tools.css")
user = get_user()
st.title("Tools")
st.caption(
    "One catalogue, three ways in: engine and composer, OpenAI function calling, and MCP for programs elsewhere."
)
view = render_segments("View", "view", VIEWS, "connect")
if view == "connect":
    render_connect(user)
    st.subheader("Recent calls", anchor=False)
    render_calls(user)
elif view == "registry":
    render_registry(user)
elif view == "mapping":
    render_mapping()
else:
    render_guidance()
