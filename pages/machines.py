"""Machines: every message through both lanes, the decisions side by side, the fleet live beside it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from db.machines.revisions import read_machines_revision
from ui.machines.actions import find_open_conversation, send, send_typed
from ui.machines.bar import render_bar
from ui.machines.bench import render_bench
from ui.machines.chat import render_fleet, render_welcome
from ui.notices import render_notice
from ui.people import get_user
from ui.resources import load_database
from ui.state.chat import put_to_say, read_turn_limit
from ui.talk.reading import read_shown
from ui.talk.turns import FIRST_TURNS, render_turns
from ui.words import WAITING

MESSAGE_LIMIT = 10_000
_HINT = "Say what to do, for example: turn on the light"

for sheet in ("inspect.css", "machines.css"):
    st.html(Path(__file__).parent.parent / "assets" / sheet)
user = get_user()
view = render_bar(user)
if view == "Bench":
    render_notice()
    render_bench(user)
    st.stop()
conversation = find_open_conversation(user)
with load_database().read() as session:
    revision = read_machines_revision(session, user.id)
    turns = read_shown(session, user, conversation, read_turn_limit(FIRST_TURNS)) if conversation else None
last = turns.last if turns else None
waits = last is not None and last.turn.lane is None
chat_area, fleet_area = st.columns([5, 3], gap="medium")
with chat_area:
    with st.container(key="conversation", height=560, border=False, autoscroll=last is not None, gap="xsmall"):
        if conversation and turns and last:
            render_turns(user, conversation, turns, send)
        else:
            render_welcome(user)
    render_notice()
    put_to_say("machines", "machine_message")
    st.chat_input(
        WAITING if waits else _HINT,
        key="machine_message",
        max_chars=MESSAGE_LIMIT,
        disabled=waits,
        on_submit=send_typed,
        args=(user, "machine_message"),
    )
with fleet_area, st.container(key="task_panel", height=600, border=False, gap="xsmall"):
    render_fleet(user, last.turn if last else None, revision)
