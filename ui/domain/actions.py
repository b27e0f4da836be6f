"""What the page of a domain does when somebody sends, clears, or loads the examples."""

from __future__ import annotations

from assistant import Assistant
from db.failures import StoreUnavailableError, ToolFailure
from db.items.examples import load_examples
from db.turns.conversations import Conversation, clear_conversation, list_conversations, start_conversation
from db.users import User
from engine.domain import Domain
from ui.lanes import domain_lanes
from ui.resources import load_database, now_here
from ui.state.fields import read_text
from ui.state.notices import put_notice
from ui.state.values import Notice
from ui.talk.sending import say


def send(user: User, domain: Domain, text: str) -> None:
    """Through both lanes, like any message."""
    if text.strip():
        assistant = Assistant(load_database(), user, now_here, domain)
        say(assistant, lambda: _open_conversation(user, domain), text, lambda: domain_lanes(domain))


def send_typed(user: User, domain: Domain, key: str) -> None:
    send(user, domain, read_text(key))


def find_open_conversation(user: User, domain: Domain) -> Conversation | None:
    """Everybody has one chat a domain: the one used last."""
    with load_database().read() as session:
        return next(iter(list_conversations(session, user.id, domain=domain.name, limit=1)), None)


def _open_conversation(user: User, domain: Domain) -> str:
    found = find_open_conversation(user, domain)
    if found:
        return found.id
    with load_database().write() as session:
        return start_conversation(session, user.id, domain=domain.name)


def clear(user: User, domain: Domain) -> None:
    conversation = find_open_conversation(user, domain)
    if conversation is None:
        return
    try:
        with load_database().write() as session:
            clear_conversation(session, user.id, conversation.id)
    except (StoreUnavailableError, ToolFailure) as error:
        put_notice(Notice("error", str(error)))


def add_examples(user: User, domain: Domain) -> None:
    try:
        load_examples(load_database(), user, domain)
    except (StoreUnavailableError, ToolFailure) as error:
        put_notice(Notice("error", str(error)))
