"""Chat: every message through both lanes, the decisions side by side, the tasks live beside it."""

from __future__ import annotations

import streamlit as st

from domains.loading import TASKS
from ui.chat.actions import send, send_typed
from ui.chat.bar import render_bar, render_welcome
from ui.chat.conversation import Shown, find_open_conversation, watch_for_changes
from ui.notices import render_notice
from ui.panels.beside import read_tasks_beside, render_task_panel
from ui.people import get_user, read_tasks_revision
from ui.resources import load_database
from ui.state.chat import put_to_say, read_turn_limit
from ui.talk.reading import read_shown
from ui.talk.turns import FIRST_TURNS, render_turns
from ui.words import WAITING

MESSAGE_LIMIT = 10_000


@st.fragment
def render_chat(shown: Shown) -> None:
    """With a message only this is drawn anew. What stands around it took as long again."""
    with load_database().read() as session:
        user = get_user(session)
        conversation = find_open_conversation(session, user)
        turns = read_shown(session, user, conversation, read_turn_limit(FIRST_TURNS)) if conversation else None
        last = turns.last if turns else None
        tasks, tasks_revision = read_tasks_beside(session, user, last), read_tasks_revision(session, user)
    shown.take(conversation, tasks_revision)
    waits = last is not None and last.turn.lane is None
    chat_area, task_area = st.columns([5, 2], gap="medium")
    with chat_area:
        with st.container(key="conversation", height=560, border=False, autoscroll=last is not None, gap="xsmall"):
            if conversation and turns and last:
                render_turns(user, conversation, turns, send)
            else:
                render_welcome(user)
        render_notice()
        st.chat_input(
            WAITING if waits else "Say what to do, for example: add a task to buy milk",
            key="message",
            max_chars=MESSAGE_LIMIT,
            disabled=waits,
            on_submit=send_typed,
            args=(user, "message"),
        )
    with task_area, st.container(key="task_panel", height=600, border=False, gap="xsmall"):
        render_task_panel(user, last, tasks)


user, shown = get_user(), Shown()
put_to_say(TASKS, "message")
render_bar(user)
render_chat(shown)
watch_for_changes(user, shown)
