"""A recorded turn as something to inspect. The one place that knows how turns are kept."""

from __future__ import annotations

from db.users import User
from ui.inspect_input import InspectInput


def find_turn_input(user: User, turn_id: str) -> InspectInput | None:
    """The message of a turn of this person with the context in which it was decided; None if there is no such turn."""
    # Turns are not recorded with their context yet, so there is none to be found.
    return None
