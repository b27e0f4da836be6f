"""Which conversation the Chat page shows, and when it has to be drawn again."""

from __future__ import annotations

import streamlit as st

from db.turns.conversations import Conversation, find_conversation, read_conversation_revision
from db.users import User, read_revision
from settings import load_settings
from ui.resources import load_database
from ui.state.chat import (
    choose_conversation,
    read_conversation_id,
    show_conversation_in_address,
)


def find_open_conversation(user: User) -> Conversation | None:
    """The one of this tab; an address that names none, or another's, starts a new one."""
    conversation_id = read_conversation_id(user.id)
    with load_database().read() as session:
        found = find_conversation(session, user.id, conversation_id) if conversation_id else None
    if found is None:
        choose_conversation(user.id, None)
    show_conversation_in_address(found.id if found else None)
    return found


@st.fragment(run_every=load_settings().refresh_seconds)
def watch_for_changes(user: User, shown: Conversation | None, tasks_shown: int) -> None:
    """Draws nothing: runs the page again when another tab, or somebody else, changed what it shows."""
    with load_database().read() as session:
        revision = read_conversation_revision(session, shown.id) if shown else None
        tasks = read_revision(session, user.id)
    if (revision, tasks) != (shown and shown.revision, tasks_shown):
        st.rerun()
