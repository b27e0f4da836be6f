"""A recorded turn, a line of a comparison or a case of a run, as something to inspect. The one place that knows how
they are kept."""

from __future__ import annotations

import json
from typing import Any

from db.evaluation.comparisons import find_comparison, find_line
from db.evaluation.results import find_result
from db.evaluation.runs import find_run
from db.turns.turns import find_turn
from db.users import User
from evals.bulk.files import BulkError
from evals.bulk.folder import find_run as find_bulk_run
from evals.bulk.looking import find_message
from evals.evaluate.inspecting import context_of as context_of_case
from settings import bulk_runs
from ui.given.message import InspectInput, context_of
from ui.resources import load_database

LINE_PREFIX = "line:"
"""`line:RUN:NUMBER` in the place of a turn's id."""
BULK_PREFIX = "bulk:"
"""`bulk:RUN:SHARD:ROW`: a message of a bulk run."""
CASE_PREFIX = "case:"
"""`case:RUN:DECIDER:POSITION`: a case of an evaluation, in the situation in which it was decided."""
_LONGEST_NUMBER = 9


def find_turn_input(user: User, turn_id: str) -> InspectInput | None:
    """The message of this person with the context in which it was decided; None if there is none."""
    if turn_id.startswith(LINE_PREFIX):
        return _find_line_input(user, turn_id)
    if turn_id.startswith(CASE_PREFIX):
        return _find_case_input(user, turn_id)
    if turn_id.startswith(BULK_PREFIX):
        return _find_bulk_input(user, turn_id)
    database = load_database()
    with database.read() as session:  # a maintainer may read everybody's History
        turn = find_turn(session, None if database.role == "maintainer" else user.id, turn_id)
    return InspectInput(turn.text, turn.context, turn.domain) if turn and not turn.stripped else None


def _find_line_input(user: User, line_id: str) -> InspectInput | None:
    run_id, _, number = line_id.removeprefix(LINE_PREFIX).partition(":")
    if not number.isdecimal() or len(number) > _LONGEST_NUMBER:
        return None
    with load_database().read() as session:
        run = find_comparison(session, user.id, run_id)
        line = find_line(session, user.id, run_id, int(number))
    if run is None or line is None:
        return None
    own, _ = context_of(user, run.domain)
    return InspectInput(line.text, {**own, **(line.context or {})}, run.domain)


def _find_case_input(user: User, case_id: str) -> InspectInput | None:
    run_id, _, place = case_id.removeprefix(CASE_PREFIX).partition(":")
    decider, _, position = place.partition(":")
    if not all(number.isdecimal() and len(number) <= _LONGEST_NUMBER for number in (decider, position)):
        return None
    with load_database().read() as session:
        run = find_run(session, user.id, run_id)
        listed = find_result(session, run_id, int(decider), int(position)) if run else None
    if run is None or listed is None:
        return None
    text, context = context_of_case(listed.case, listed.scored)
    # Whose things they are is part of a case only where it says so; a name is needed all the same.
    return InspectInput(text, {"history": [], "pending": None, "user": user.handle, **context}, run.domain)


def _find_bulk_input(user: User, message_id: str) -> InspectInput | None:
    run_id, _, place = message_id.removeprefix(BULK_PREFIX).partition(":")
    shard, _, row = place.partition(":")
    if not all(number.isdecimal() and len(number) <= _LONGEST_NUMBER for number in (shard, row)):
        return None
    run = find_bulk_run(bulk_runs(), run_id)
    found = find_message(run, int(shard), int(row)) if run else None
    if run is None or found is None:
        return None
    try:
        plan = run.plan()
    except BulkError:
        return None
    context = json.loads(found["context"]) if found["context"] else {}
    alone: dict[str, Any] = {"tasks": [], "history": [], "pending": None, "now": plan.now, "user": user.handle}
    return InspectInput(found["text"], {**alone, **context}, plan.domain)
