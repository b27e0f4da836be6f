"""Chat: every message through both lanes, the decisions side by side, the tasks live beside it."""

from __future__ import annotations

import streamlit as st

from db.users import read_revision
from ui import chat_actions, chat_bar, chat_components, state
from ui.components import get_user, render_notice
from ui.resources import load_database
from ui.turn_views import read_shown

MESSAGE_LIMIT = 10_000

user = get_user()
conversation = chat_components.find_open_conversation(user)
limit = state.read_shown_turns(chat_components.FIRST_TURNS)
turns = read_shown(user, conversation, limit) if conversation else None
last = turns.last if turns else None
with load_database().read() as session:
    tasks_revision = read_revision(session, user.id)
waits = last is not None and last.turn.lane is None

chat_bar.render_bar(user, conversation)
chat_area, task_area = st.columns([5, 2], gap="medium")
with chat_area:
    with st.container(key="conversation", height=560, border=False, autoscroll=True, gap="xsmall"):
        if conversation and turns and last:
            chat_components.render_turns(user, conversation, turns)
        else:
            chat_bar.render_welcome(user)
    render_notice()
    chat_bar.render_performance()
    st.chat_input(
        "Waiting for the LLM, which drives …" if waits else "Say what to do, for example: add a task to buy milk",
        key="message",
        max_chars=MESSAGE_LIMIT,
        disabled=waits,
        on_submit=chat_actions.send_typed,
        args=(user, "message"),
    )
with task_area, st.container(key="task_panel", height=600, border=False, gap="xsmall"):
    chat_components.render_task_panel(user, last)
shown = (conversation.id, conversation.revision) if conversation else (None, None)
chat_components.watch_for_changes(user, *shown, tasks_revision)
