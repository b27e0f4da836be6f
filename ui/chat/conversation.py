"""Which conversation the Chat page shows, and when it has to be drawn again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import streamlit as st

from db.connection import Session
from db.turns.conversations import Conversation, find_conversation, read_conversation_revision
from db.users import User, read_revision
from settings import load_settings
from ui.redrawing import draw_again, part_drawn_now
from ui.resources import load_database
from ui.state.chat import (
    choose_conversation,
    is_menu_open,
    read_conversation_id,
    show_conversation_in_address,
)


def read_open_conversation(session: Session, user: User) -> Conversation | None:
    conversation_id = read_conversation_id(user.id)
    return find_conversation(session, user.id, conversation_id) if conversation_id else None


def find_open_conversation(session: Session, user: User) -> Conversation | None:
    """The one of this tab; an address that names none, or another's, starts a new one."""
    found = read_open_conversation(session, user)
    if found is None:
        choose_conversation(user.id, None)
    show_conversation_in_address(found.id if found else None)
    return found


class Shown:
    """What the chat's part of the page shows: it says so whenever it is drawn, and who watches beside it looks here."""

    part: str | None = None
    conversation: Conversation | None = None
    tasks_revision = 0

    def take(self, conversation: Conversation | None, tasks_revision: int) -> None:
        self.part, self.conversation, self.tasks_revision = part_drawn_now(), conversation, tasks_revision


def watch_for_changes(user: User, shown: Shown) -> None:
    """Draws nothing: has the chat's part of the page drawn again when another tab, or somebody else, changed what it
    shows. It stands beside that part, not in it: there it would be set up anew with every message."""
    _look(user, shown, count())


@st.fragment(run_every=load_settings().refresh_seconds)
def _look(user: User, shown: Shown, looks: Iterator[int]) -> None:
    if next(looks) == 0:
        return  # it is drawn with the page, which has just read all this
    conversation = shown.conversation
    with load_database().read() as session:
        revision = read_conversation_revision(session, conversation.id) if conversation else None
        tasks = read_revision(session, user.id)
    if (revision, tasks) != (conversation and conversation.revision, shown.tasks_revision):
        # The list of conversations stands outside of that part; while it is folded away, nobody sees what is in it.
        draw_again(None if is_menu_open() else shown.part)
