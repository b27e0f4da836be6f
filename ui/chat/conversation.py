"""The parts of the Chat page: the bar on top, the turns, what can be pressed under them, the tasks beside."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from db.conversations import Conversation, find_conversation, read_conversation_revision
from db.listing import TaskQuery
from db.tasks import TaskService
from db.turns import StoredTurn
from db.users import User, read_revision
from engine.border.wire import read_pending
from engine.decision import Pending
from engine.outcome.routing import DRIVERS
from settings import load_settings
from ui.chat import actions, live_turns
from ui.chat.reading import ShownConversation
from ui.chat.task_panel import changes_of, panel_html
from ui.resources import load_database, now_here
from ui.state.chat import (
    choose_conversation,
    read_conversation_id,
    show_conversation_in_address,
    show_more_turns,
    start_driver,
    take_driver,
)
from ui.turns.card import TurnView, card_html, said_html
from ui.turns.changes import changes_in
from ui.turns.links import inspect_link
from ui.words import DRIVER_HELP, DRIVER_NAMES

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


def render_driver() -> None:
    start_driver(DRIVERS[0])
    st.segmented_control(
        "Who drives",
        list(DRIVER_NAMES),
        format_func=lambda driver: DRIVER_NAMES[driver],
        key="driver_choice",
        required=True,
        on_change=take_driver,
        help=DRIVER_HELP,
        label_visibility="collapsed",
    )


def render_turns(user: User, conversation: Conversation, shown: ShownConversation) -> None:
    """Older turns are one line each; the last one is open."""
    count = len(shown.older) + 1
    hidden = conversation.turns - count
    if hidden > 0:
        st.button(
            f"Show {min(hidden, _MORE_TURNS)} earlier turns",
            icon=":material/expand_less:",
            type="tertiary",
            on_click=show_more_turns,
            args=(count + _MORE_TURNS,),
        )
    for each in shown.older:
        st.html(each.html)
        if not each.undone:
            _render_undo(user, each.turn)
    if shown.last:
        _render_last(user, conversation, shown.last)


def _render_last(user: User, conversation: Conversation, last: TurnView) -> None:
    st.html(said_html(last))
    pending = read_pending(conversation.pending) if conversation.pending else None
    _render_answers(user, last, pending)
    if live_turns.find(last.turn.id):
        _render_live_card(user, last)
    else:
        st.html(card_html(last, inspect_link(user, last.turn.id)))


@st.fragment(run_every=_POLL_SECONDS)
def _render_live_card(user: User, view: TurnView) -> None:
    """The last turn's card while the LLM still answers: only this is drawn again, a few times a second."""
    live = live_turns.find(view.turn.id)
    if live is None:
        st.rerun()
    st.html(card_html(view, inspect_link(user, view.turn.id), live.text if live else ""))
    st.button(
        "Stop the LLM",
        key=f"stop-{view.turn.id}",
        icon=":material/stop_circle:",
        type="tertiary",
        on_click=actions.stop,
        args=(view.turn.id,),
    )


def _render_answers(user: User, view: TurnView, pending: Pending | None) -> None:
    """Buttons for the open question, and for taking back what this turn did."""
    with st.container(horizontal=True, key="answers"):
        for label, text, kind in _answers(view, pending):
            st.button(label, key=f"answer-{label}", type=kind, on_click=actions.send, args=(user, text))
        if not view.undone:
            _render_undo(user, view.turn)


def _answers(view: TurnView, pending: Pending | None) -> list[tuple[str, str, ButtonKind]]:
    """Label, what is sent, and the kind of button."""
    if pending is None or view.turn.lane is None:
        return []
    if pending.kind == "confirm":
        return [("Yes", "yes", "primary"), ("No", "no", "secondary")]
    if pending.kind != "choose":
        return []
    titles = {str(task["id"]): task for task in view.turn.context.get("tasks") or ()}
    chosen = [titles[task_id] for task_id in pending.options if task_id in titles]
    buttons: list[tuple[str, str, ButtonKind]] = [
        (f"#{task['number']} {str(task['title'])[:_LONGEST_BUTTON]}", f"#{task['number']}", "secondary")
        for task in chosen
    ]
    return [*buttons, ("None of them", "no", "tertiary")]


def _render_undo(user: User, turn: StoredTurn) -> None:
    changes = changes_in(turn)
    if changes:
        st.button(
            "Undo",
            key=f"undo-{turn.id}",
            icon=":material/undo:",
            type="tertiary",
            help="Takes back what this turn changed.",
            on_click=actions.undo,
            args=(user, changes, turn.conversation_id, turn.id),
        )


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
        if result["tool_name"] == "delete_task" and result["audit_id"]
    ]
    st.markdown(f"**Tasks** :gray[{total:,} open · {done:,} done]")
    st.html(panel_html((*front, *shown), changed, gone, total + len(front), now_here()))


@st.fragment(run_every=load_settings().refresh_seconds)
def watch_for_changes(user: User, shown: Conversation | None, tasks_shown: int) -> None:
    """Draws nothing: runs the page again when another tab, or somebody else, changed what it shows."""
    with load_database().read() as session:
        revision = read_conversation_revision(session, shown.id) if shown else None
        tasks = read_revision(session, user.id)
    if (revision, tasks) != (shown and shown.revision, tasks_shown):
        st.rerun()
