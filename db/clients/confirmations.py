"""Calls that wait for a yes, where every process finds them. Each works once, for a short time, for one person."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, delete, func, select

from db.process_models import ConfirmationRow

_MOST_WAITING = 200
"""Per person: who asks for more loses the oldest."""


@dataclass(frozen=True, slots=True)
class HeldCall:
    tool_call: Mapping[str, Any]
    asked: Mapping[str, Any]
    shown: str


def hold_call(session: Session, code: str, user_id: str, held: HeldCall, *, now: float, until: float) -> None:
    session.exec(delete(ConfirmationRow).where(col(ConfirmationRow.until) <= now))
    own = select(ConfirmationRow).where(ConfirmationRow.user_id == user_id)
    newest_first = own.order_by(col(ConfirmationRow.held_at).desc(), col(ConfirmationRow.digest))
    for old in session.exec(newest_first.offset(_MOST_WAITING - 1)):
        session.delete(old)
    row = ConfirmationRow(
        digest=_digest(code),
        user_id=user_id,
        tool_call=dict(held.tool_call),
        asked=dict(held.asked),
        shown=held.shown,
        held_at=now,
        until=until,
    )
    session.add(row)
    session.flush()


def take_call(session: Session, code: str, user_id: str, *, now: float) -> HeldCall | None:
    """The call, once. None for a code that is unknown, used, too old or somebody else's, whose it stays."""
    row = session.get(ConfirmationRow, _digest(code))
    if row is None or row.user_id != user_id:
        return None
    held, in_time = HeldCall(row.tool_call, row.asked, row.shown), now < row.until
    taken = session.exec(delete(ConfirmationRow).where(col(ConfirmationRow.digest) == row.digest))
    return held if in_time and taken.rowcount == 1 else None


def count_held(session: Session) -> int:
    return session.exec(select(func.count()).select_from(ConfirmationRow)).one()


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode("utf-8", "replace")).hexdigest()
