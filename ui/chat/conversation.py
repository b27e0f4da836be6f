"""The parts of the Chat page: the bar on top, the turns, what can be pressed under them, the tasks beside."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from db.tasks.listing import TaskQuery
from db.tasks.service import TaskService
from db.turns.conversations import Conversation, find_conversation, read_conversation_revision
from db.users import User, read_revision
from settings import load_settings
from ui.chat.task_panel import MARKS, changes_of, mark_of, panel_html
from ui.resources import load_database, now_here
from ui.state.chat import (
    choose_conversation,
    read_conversation_id,
    show_conversation_in_address,
)
from ui.turns.card import TurnView
from ui.turns.links import tasks_link

ButtonKind = Literal["primary", "secondary", "tertiary"]
FIRST_TURNS = 8
"""So many are drawn at first; earlier ones on request. Twenty made the card come a tenth of a second later."""
_MORE_TURNS = 20
_PANEL_TASKS = 16
_POLL_SECONDS = 0.5
_LONGEST_BUTTON = 60


def find_open_conversation(user: User) -> Conversation | None:
    """The one of this tab; an address that names none, or another's, starts a new one."""
    conversation_id = read_conversation_id(user.id)
    with load_database().read() as session:
        found = find_conversation(session, user.id, conversation_id) if conversation_id else None
    if found is None:
        choose_conversation(user.id, None)
    show_conversation_in_address(found.id if found else None)
    return found


def render_task_panel(user: User, last: TurnView | None) -> None:
    changed = changes_of(last.turn) if last and not last.undone else {}
    with load_database().read() as session:
        service = TaskService(session, user, now_here)
        total, done = service.count(TaskQuery("pending")), service.count(TaskQuery("completed"))
        shown = service.find_all(TaskQuery("pending", order="due", limit=_PANEL_TASKS))
        touched = service.find_many(tuple(changed))
    front = tuple(task for task in touched if task.completed or task.id not in {each.id for each in shown})
    gone = [
        (int(result["payload"]["number"]), str(result["payload"]["title"]))
        for result in (last.turn.results if last and changed else ())
        if mark_of(result["tool_name"]) == MARKS["remove"] and result["audit_id"]
    ]
    st.markdown(f"**Tasks** :gray[{total:,} open · {done:,} done]")
    st.html(panel_html((*front, *shown), changed, gone, total + len(front), now_here(), tasks_link(user)))


@st.fragment(run_every=load_settings().refresh_seconds)
def watch_for_changes(user: User, shown: Conversation | None, tasks_shown: int) -> None:
    """Draws nothing: runs the page again when another tab, or somebody else, changed what it shows."""
    with load_database().read() as session:
        revision = read_conversation_revision(session, shown.id) if shown else None
        tasks = read_revision(session, user.id)
    if (revision, tasks) != (shown and shown.revision, tasks_shown):
        st.rerun()
