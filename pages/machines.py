"""Machines: the fleet live, and requests that are completed, asked back or refused, with the reasoning."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from db.machine_turns import read_machines_revision
from ui.machines.actions import send_typed
from ui.machines.bar import render_bar
from ui.machines.bench import render_bench
from ui.machines.chat import read_shown_turns, render_fleet, render_turns, render_welcome
from ui.notices import render_notice
from ui.people import get_user
from ui.resources import load_database

MESSAGE_LIMIT = 10_000

for sheet in ("inspect.css", "machines.css"):
    st.html(Path(__file__).parent.parent / "assets" / sheet)
user = get_user()
view = render_bar(user)
if view == "Bench":
    render_notice()
    render_bench(user)
    st.stop()
with load_database().read() as session:
    revision = read_machines_revision(session, user.id)
turns, hidden = read_shown_turns(user)
chat_area, fleet_area = st.columns([5, 3], gap="medium")
with chat_area:
    with st.container(key="conversation", height=560, border=False, autoscroll=True, gap="xsmall"):
        if turns:
            render_turns(user, turns, hidden)
        else:
            render_welcome(user)
    render_notice()
    st.chat_input(
        "Say what a machine should do: turn on the light, che temperatura ha il frigo?",
        key="machine_message",
        max_chars=MESSAGE_LIMIT,
        on_submit=send_typed,
        args=(user, "machine_message"),
    )
with fleet_area, st.container(key="task_panel", height=600, border=False, gap="xsmall"):
    render_fleet(user, turns[-1] if turns else None, revision)
