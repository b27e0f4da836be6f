"""What the keys of the review queue do: callbacks that keep verdicts and move on; none draws."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from db.evaluation.verdicts import Lane, Verdict
from db.failures import ToolFailure
from db.turns.history import find_next_id
from db.turns.query import TurnQuery
from db.turns.turns import StoredTurn
from db.users import User
from evals.reviews import Reviewed, review_turn, take_back_last
from ui.resources import load_database
from ui.state.address import TURN_KEY, drop_from_address, put_in_address
from ui.state.notices import put_notice
from ui.state.values import Notice
from ui.words import LANE_NAMES

PLACE = "review"
_LONGEST = 60


def judge(user: User, turn: StoredTurn, lane: Lane, verdict: Verdict, query: TurnQuery, *, finished: bool) -> None:
    """Keep the verdict. The one that completes a turn goes on to the next, unless there is more to say about it."""
    try:
        with load_database().write() as session:
            reviewed = review_turn(session, user.id, turn.id, lane, verdict)
    except ToolFailure as failure:
        _tell("error", failure.message)
        return
    put_in_address(TURN_KEY, turn.id)
    _tell("success", _describe(turn.text, reviewed))
    if reviewed.complete and not reviewed.all_wrong and not finished:
        _go_on(user, turn, query)


def _go_on(user: User, turn: StoredTurn, query: TurnQuery) -> None:
    """To the next that is to be reviewed; from the last one on, to those that were left out."""
    left = replace(query, reviewed=False)
    with load_database().read() as session:
        following = find_next_id(session, user.id, left, turn, newer=False)
    open_turn(following)


def open_turn(turn_id: str | None) -> None:
    """None: where the queue begins."""
    if turn_id:
        put_in_address(TURN_KEY, turn_id)
    else:
        drop_from_address(TURN_KEY)


def step_to(turn_id: str) -> None:
    put_notice(None)
    open_turn(turn_id)


def undo(user: User) -> None:
    """Take the last verdict back, and show its turn again."""
    with load_database().write() as session:
        change = take_back_last(session, user.id)
    if change is None:
        _tell("success", "There is no verdict left to take back.")
        return
    again = f"is {change.before} again" if change.before else "has no verdict"
    _tell("success", f"{_quote(change.text)}: taken back, {LANE_NAMES[change.lane]} {again}.")
    open_turn(change.turn_id)


def _describe(text: str, reviewed: Reviewed) -> str:
    said = ", ".join(f"{LANE_NAMES[lane]} {verdict}" for lane, verdict in sorted(reviewed.verdicts.items()))
    case = ""
    if reviewed.case_id:
        case = " Kept as a case." if reviewed.new_case else " Its case is kept."
    elif reviewed.complete and list(reviewed.verdicts.values()).count("right") > 1:
        case = " No one case can say both, so none was kept."
    return f"{_quote(text)}: {said}.{case}"


def _quote(text: str) -> str:
    short = " ".join(text.split())
    return f"“{short if len(short) <= _LONGEST else short[: _LONGEST - 1] + '…'}”"


def _tell(kind: Literal["success", "error"], text: str) -> None:
    put_notice(Notice(kind, text, PLACE))
