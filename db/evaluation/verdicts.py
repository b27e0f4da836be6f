"""What people say about a lane's decision: right, wrong or unsure. One row for a turn and lane, every change recorded,
everybody their own."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from sqlmodel import Session, col, func, select

from db.evaluation.cases import remove_case
from db.evaluation.review_models import VerdictChangeRow, VerdictRow
from db.models import CaseRow, TurnRow
from db.turns.turns import get_own_turn

Lane = Literal["engine", "llm"]
Verdict = Literal["right", "wrong", "unsure"]
LANES: tuple[Lane, ...] = ("engine", "llm")
VERDICTS: tuple[Verdict, ...] = ("right", "wrong", "unsure")


@dataclass(frozen=True, slots=True)
class VerdictChange:
    id: str
    turn_id: str
    lane: Lane
    before: Verdict | None
    after: Verdict | None
    text: str
    """The message of the turn."""


def read_verdicts(session: Session, user_id: str, turn_ids: Iterable[str]) -> dict[str, dict[Lane, Verdict]]:
    """turn -> lane -> verdict; what has none is not there."""
    wanted = select(VerdictRow).where(col(VerdictRow.turn_id).in_(list(turn_ids)))
    found: dict[str, dict[Lane, Verdict]] = {}
    for row in session.exec(wanted):
        if row.user_id == user_id:
            found.setdefault(row.turn_id, {})[row.lane] = row.verdict  # type: ignore[index, assignment]
    return found


def set_verdict(
    session: Session, user_id: str, turn_id: str, lane: Lane, verdict: Verdict | None, *, undoes: str | None = None
) -> bool:
    """Give, change or (None) take back a verdict; whether anything changed. Nobody judges another's turn."""
    domain = get_own_turn(session, user_id, turn_id).domain
    row = session.get(VerdictRow, (turn_id, lane))
    before = row.verdict if row else None
    if before == verdict:
        return False
    moment = datetime.now(UTC)
    if row is None:
        session.add(
            VerdictRow(
                turn_id=turn_id,
                lane=lane,
                user_id=user_id,
                domain=domain,
                verdict=str(verdict),
                created_at=moment,
                changed_at=moment,
            )
        )
    elif verdict is None:
        session.delete(row)
    else:
        row.verdict, row.changed_at = verdict, moment
    _record(session, user_id, turn_id, domain, lane, (before, verdict), undoes, moment)
    session.flush()
    return True


def _record(
    session: Session,
    user_id: str,
    turn_id: str,
    domain: str,
    lane: Lane,
    step: tuple[str | None, str | None],
    undoes: str | None,
    moment: datetime,
) -> None:
    last = session.exec(select(func.max(VerdictChangeRow.sequence)).where(VerdictChangeRow.user_id == user_id)).one()
    session.add(
        VerdictChangeRow(
            id=str(uuid.uuid4()),
            user_id=user_id,
            sequence=(last or 0) + 1,
            domain=domain,
            turn_id=turn_id,
            lane=lane,
            before=step[0],
            after=step[1],
            undoes=undoes,
            created_at=moment,
        )
    )


def find_last_change(session: Session, user_id: str) -> VerdictChange | None:
    """The latest change that was neither taken back nor takes one back; of turns that are still there."""
    undone = select(VerdictChangeRow.undoes).where(
        VerdictChangeRow.user_id == user_id, col(VerdictChangeRow.undoes).is_not(None)
    )
    found = session.exec(
        select(VerdictChangeRow, TurnRow.text)
        .join(TurnRow, col(TurnRow.id) == col(VerdictChangeRow.turn_id))
        .where(
            VerdictChangeRow.user_id == user_id,
            col(VerdictChangeRow.undoes).is_(None),
            col(VerdictChangeRow.id).not_in(undone),
        )
        .order_by(col(VerdictChangeRow.sequence).desc())
        .limit(1)
    ).first()
    if found is None:
        return None
    row, text = found
    return VerdictChange(row.id, row.turn_id, row.lane, row.before, row.after, text)  # type: ignore[arg-type]


def find_case_ids(session: Session, user_id: str, turn_id: str) -> set[str]:
    """The cases that the turn's verdicts stand for."""
    own = select(VerdictRow.case_id).where(VerdictRow.turn_id == turn_id, VerdictRow.user_id == user_id)
    return {case_id for case_id in session.exec(own) if case_id}


def attach_case(session: Session, user_id: str, turn_id: str, case_id: str | None, before: set[str]) -> None:
    """The case that the turn's right lanes stand for now. Of those before it goes what only verdicts held."""
    for row in session.exec(select(VerdictRow).where(VerdictRow.turn_id == turn_id, VerdictRow.user_id == user_id)):
        row.case_id = case_id if row.verdict == "right" else None
    session.flush()
    for earlier in before - {case_id}:
        case = session.get(CaseRow, earlier)
        held = session.exec(select(VerdictRow.turn_id).where(VerdictRow.case_id == earlier).limit(1)).first()
        if case and case.from_review and held is None:
            remove_case(session, user_id, earlier)
