"""Machines: the fleet live, and requests that are completed, asked back or refused, with the reasoning."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from db.machine_turns import read_machines_revision
from ui import machine_actions, machine_bar, machine_bench, machine_components
from ui.components import get_user, render_notice
from ui.resources import load_database

MESSAGE_LIMIT = 10_000

for sheet in ("inspect.css", "machines.css"):
    st.html(Path(__file__).parent.parent / "assets" / sheet)
user = get_user()
view = machine_bar.render_bar(user)
if view == "Bench":
    render_notice()
    machine_bench.render_bench(user)
    st.stop()
with load_database().read() as session:
    revision = read_machines_revision(session, user.id)
turns, hidden = machine_components.read_shown_turns(user)
chat_area, fleet_area = st.columns([5, 3], gap="medium")
with chat_area:
    with st.container(key="conversation", height=560, border=False, autoscroll=True, gap="xsmall"):
        if turns:
            machine_components.render_turns(user, turns, hidden)
        else:
            machine_components.render_welcome(user)
    render_notice()
    st.chat_input(
        "Say what a machine should do: turn on the light, che temperatura ha il frigo?",
        key="machine_message",
        max_chars=MESSAGE_LIMIT,
        on_submit=machine_actions.send_typed,
        args=(user, "machine_message"),
    )
with fleet_area, st.container(key="task_panel", height=600, border=False, gap="xsmall"):
    machine_components.render_fleet(user, turns[-1] if turns else None, revision)
