"""Around the conversation: who drives, which conversation, the way to the demo, and the first visit."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from db.turns.conversations import TITLE_LIMIT, Conversation, list_conversations
from db.users import User
from ui.chat import actions
from ui.chat.conversation import read_open_conversation
from ui.chat.export import export_json, export_markdown
from ui.counting import count_of
from ui.markdown import verbatim
from ui.resources import load_database
from ui.state.chat import CONVERSATIONS_MENU
from ui.talk.first_words import render_first_words
from ui.talk.turns import render_driver
from ui.templates import draw

_DEMO_PAGE = Path(__file__).parent.parent.parent / "pages" / "demo.py"
SUGGESTIONS = (
    ("A plain request", "add a task to book a table for Friday at 8pm"),
    ("A trap", "mark delete old backups as done"),
    ("A typo", "complete the pasport task"),
    ("Two at once", "add a task to call Anna tomorrow and mark buy groceries as done"),
    ("A delete", "delete buy oat milk"),
    ("Small talk", "what a lovely morning"),
)


def render_bar(user: User) -> None:
    st.html(draw("chat/bar", "heading"))
    with st.container(horizontal=True, vertical_alignment="bottom", key="chat_bar"):
        render_driver()
        st.space("stretch")
        _render_way_to_demo()
        _render_conversations(user)


def render_welcome(user: User) -> None:
    st.html(draw("chat/bar", "welcome"))
    render_first_words(user, SUGGESTIONS, actions.send)


def _render_way_to_demo() -> None:
    hint = "Scenarios that play themselves, with the score of both lanes."
    if st.button("Demo", icon=":material/theater_comedy:", key="to_demo", help=hint):
        st.switch_page(_DEMO_PAGE)


def _render_conversations(user: User) -> None:
    # Its content is only made while it is open: there may be a hundred conversations.
    menu = st.popover("Conversations", icon=":material/forum:", key=CONVERSATIONS_MENU, on_change="rerun")
    if not menu.open:
        return
    with load_database().read() as session:
        conversation = read_open_conversation(session, user)
        others = [
            each for each in list_conversations(session, user.id) if not conversation or each.id != conversation.id
        ]
    with menu:
        st.button(
            "New conversation",
            icon=":material/add_comment:",
            width="stretch",
            help="This one is kept.",
            on_click=actions.start_new,
            args=(user,),
            disabled=conversation is None,
        )
        if conversation:
            _render_this_one(user, conversation)
        if not others and not conversation:
            st.caption("No conversations yet. The first message starts one.")
        if others:
            st.divider()
            st.caption("Go on with")
        for each in others:
            st.button(
                f"{verbatim(each.title)} :gray[{count_of(each.turns, 'turn')}]",
                key=f"conversation-{each.id}",
                width="stretch",
                on_click=actions.go_on_with,
                args=(user, each.id),
            )


def _render_this_one(user: User, conversation: Conversation) -> None:
    key = f"name-{conversation.id}"
    st.text_input(
        "Name",
        value=conversation.title,
        key=key,
        max_chars=TITLE_LIMIT,
        on_change=actions.rename,
        args=(user, conversation.id, key),
    )
    with st.container(horizontal=True):
        name = "twolane-conversation"
        st.download_button(
            "Markdown",
            lambda: export_markdown(user, conversation.id),
            f"{name}.md",
            "text/markdown",
            icon=":material/download:",
            on_click="ignore",
        )
        st.download_button(
            "JSON",
            lambda: export_json(user, conversation.id),
            f"{name}.json",
            "application/json",
            icon=":material/download:",
            on_click="ignore",
        )
    st.button(
        "Clear this conversation",
        icon=":material/delete_sweep:",
        help="Removes its messages and decisions. The tasks and the audit trail stay.",
        on_click=actions.clear,
        args=(user, conversation.id),
    )
