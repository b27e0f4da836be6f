"""A recorded turn as something to inspect. The one place that knows how turns are kept."""

from __future__ import annotations

from db.turns import find_turn
from db.users import User
from ui.inspect_input import InspectInput
from ui.resources import load_database


def find_turn_input(user: User, turn_id: str) -> InspectInput | None:
    """The message of a turn of this person with the context in which it was decided; None if there is no such turn."""
    with load_database().read() as session:
        turn = find_turn(session, user.id, turn_id)
    return InspectInput(turn.text, turn.context) if turn else None
