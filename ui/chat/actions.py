"""What the Chat page does when somebody sends, answers, or changes the conversation."""

from __future__ import annotations

from assistant import Assistant, Lanes
from db.failures import ToolFailure
from db.turns.conversations import clear_conversation, rename_conversation, start_conversation
from db.users import User
from ui import lanes
from ui.resources import load_database, now_here
from ui.state.chat import choose_conversation, close_menu, read_conversation_id
from ui.state.fields import read_text
from ui.state.notices import put_notice
from ui.state.values import Notice
from ui.talk.sending import say


def send(user: User, text: str) -> None:
    """Run a message through both lanes. The engine's part is done when this returns."""
    gone = say(
        make_assistant(user), lambda: read_conversation_id(user.id) or _start_conversation(user), text, make_lanes
    )
    if gone:
        choose_conversation(user.id, None)


def _start_conversation(user: User) -> str:
    with load_database().write() as session:
        conversation_id = start_conversation(session, user.id)
    choose_conversation(user.id, conversation_id)
    return conversation_id


def send_typed(user: User, key: str) -> None:
    text = read_text(key)
    if text.strip():
        send(user, text)


def make_assistant(user: User) -> Assistant:
    return Assistant(load_database(), user, now_here)


def make_lanes() -> Lanes:
    return lanes.current_lanes()


def start_new(user: User) -> None:
    go_on_with(user, None)


def go_on_with(user: User, conversation_id: str | None) -> None:
    """Another conversation; None: a new one."""
    put_notice(None)
    choose_conversation(user.id, conversation_id)
    close_menu()


def rename(user: User, conversation_id: str, key: str) -> None:
    try:
        with load_database().write() as session:
            rename_conversation(session, user.id, conversation_id, read_text(key))
    except ToolFailure as failure:
        put_notice(Notice("error", failure.message))


def clear(user: User, conversation_id: str) -> None:
    with load_database().write() as session:
        clear_conversation(session, user.id, conversation_id)
    start_new(user)
