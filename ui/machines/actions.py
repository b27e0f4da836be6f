"""What the Machines page does when somebody sends, chooses, undoes, or forgets."""

from __future__ import annotations

from collections.abc import Callable

from assistant import Assistant, TurnCutOffError
from db.failures import StoreUnavailableError, ToolFailure
from db.machines.choices import forget_choices
from db.machines.seed import FIRST_FLEET, load_demo_machines, seed_machines
from db.reach import MACHINES
from db.turns.conversations import Conversation, clear_conversation, list_conversations, start_conversation
from db.users import User
from domains.loading import load_domain
from ui.lanes import domain_lanes
from ui.resources import load_database, now_here
from ui.state.fields import read_text
from ui.state.notices import put_notice
from ui.state.values import Notice
from ui.talk.sending import say


def send(user: User, text: str) -> None:
    """Through both lanes, like any message."""
    if text.strip():
        say(make_assistant(user), lambda: _open_conversation(user), text, lambda: domain_lanes(load_domain(MACHINES)))


def send_typed(user: User, key: str) -> None:
    send(user, read_text(key))


def find_open_conversation(user: User) -> Conversation | None:
    """Everybody has one chat with their machines: the one used last."""
    with load_database().read() as session:
        return next(iter(list_conversations(session, user.id, domain=MACHINES, limit=1)), None)


def _open_conversation(user: User) -> str:
    found = find_open_conversation(user)
    if found:
        return found.id
    with load_database().write() as session:
        return start_conversation(session, user.id, domain=MACHINES)


def clear(user: User) -> None:
    conversation = find_open_conversation(user)
    if conversation:
        _write(lambda session: clear_conversation(session, user.id, conversation.id))


def forget(user: User, key: str | None = None) -> None:
    _write(lambda session: forget_choices(session, user.id, key))


def load_demo_machines_for(user: User) -> None:
    fleets = load_demo_machines()["fleets"]
    _run(lambda: seed_machines(load_database(), user, now_here, user.handle if user.handle in fleets else FIRST_FLEET))


def make_assistant(user: User) -> Assistant:
    return Assistant(load_database(), user, now_here, load_domain(MACHINES))


def _write(change: Callable[..., None]) -> None:
    def run() -> None:
        with load_database().write() as session:
            change(session)

    _run(run)


def _run(act: Callable[[], object], text: str = "") -> None:
    """Do it; what goes wrong is said on the page."""
    put_notice(None)
    try:
        act()
    except StoreUnavailableError as error:
        message = f"{error} Your message was: {text[:500]}" if text else str(error)
        put_notice(Notice("error", message))
    except TurnCutOffError as error:
        put_notice(Notice("error", str(error)))
    except ToolFailure as failure:
        put_notice(Notice("error", failure.message))
