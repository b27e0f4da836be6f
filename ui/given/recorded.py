"""A recorded turn, or a line of a comparison, as something to inspect. The one place that knows how they are kept."""

from __future__ import annotations

from db.evaluation.comparisons import find_comparison, find_line
from db.turns.turns import find_turn
from db.users import User
from ui.given.message import InspectInput, context_of
from ui.resources import load_database

LINE_PREFIX = "line:"
"""`line:RUN:NUMBER` in the place of a turn's id."""


def find_turn_input(user: User, turn_id: str) -> InspectInput | None:
    """The message of this person with the context in which it was decided; None if there is no such turn or line."""
    if turn_id.startswith(LINE_PREFIX):
        return _find_line_input(user, turn_id)
    with load_database().read() as session:
        turn = find_turn(session, user.id, turn_id)
    return InspectInput(turn.text, turn.context, turn.domain) if turn else None


def _find_line_input(user: User, line_id: str) -> InspectInput | None:
    run_id, _, number = line_id.removeprefix(LINE_PREFIX).partition(":")
    if not number.isdecimal() or len(number) > 9:
        return None
    with load_database().read() as session:
        run = find_comparison(session, user.id, run_id)
        line = find_line(session, user.id, run_id, int(number))
    if run is None or line is None:
        return None
    own, _ = context_of(user, run.domain)
    return InspectInput(line.text, {**own, **(line.context or {})}, run.domain)
