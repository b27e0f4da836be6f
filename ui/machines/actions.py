"""What the Machines page does when somebody sends, chooses, undoes, or forgets."""

from __future__ import annotations

from collections.abc import Callable

from assistant import MachineAssistant, TurnNotRecordedError
from db.audit import Origin
from db.composer_choices import forget_choices
from db.failures import StoreUnavailableError, ToolFailure
from db.machine_seed import FIRST_FLEET, load_demo_machines, seed_machines
from db.machine_turns import clear_machine_turns
from db.users import User
from ui.lanes import current_composer
from ui.people import PERSON
from ui.resources import load_database, make_executor, now_here
from ui.state.fields import read_text
from ui.state.notices import put_notice
from ui.state.values import Notice


def send(user: User, text: str) -> None:
    if text.strip():
        _run(lambda: make_assistant(user).run_turn(text), text)


def send_typed(user: User, key: str) -> None:
    send(user, read_text(key))


def choose(user: User, turn_id: str, place: int) -> None:
    _run(lambda: make_assistant(user).run_choice(turn_id, place))


def run_next(user: User, turn_id: str, place: int) -> None:
    _run(lambda: make_assistant(user).run_next(turn_id, place))


def undo(user: User, audit_ids: list[str], turn_id: str) -> None:
    """Take a turn's commands back. They share a batch where there are several."""
    put_notice(None)
    for audit_id in audit_ids:
        result = make_executor(user).undo(audit_id, Origin(PERSON, None, turn_id))
        if not result.ok:
            put_notice(Notice("error", result.error_message))
            return
        if result.payload.get("count", 1) == len(audit_ids):
            return


def clear(user: User) -> None:
    _write(lambda session: clear_machine_turns(session, user.id))


def forget(user: User, key: str | None = None) -> None:
    _write(lambda session: forget_choices(session, user.id, key))


def load_demo_machines_for(user: User) -> None:
    fleets = load_demo_machines()["fleets"]
    _run(lambda: seed_machines(load_database(), user, now_here, user.handle if user.handle in fleets else FIRST_FLEET))


def make_assistant(user: User) -> MachineAssistant:
    return MachineAssistant(load_database(), user, now_here, current_composer())


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
    except TurnNotRecordedError as error:
        put_notice(Notice("error", str(error)))
    except ToolFailure as failure:
        put_notice(Notice("error", failure.message))
