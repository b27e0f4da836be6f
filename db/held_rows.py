"""Rows that stay at hand for as long as their session is open.

SQLAlchemy itself forgets a row as soon as nobody holds it: whoever asked for a conversation once more, or for the turn
that was just written, had the database asked again. A message asked eight times for its conversation.
"""

from __future__ import annotations

from typing import TypeVar, cast

from sqlmodel import Session

from db.models import Base

_HELD = "held rows"
Row = TypeVar("Row", bound=Base)


def find_held(session: Session, kind: type[Row], row_id: str) -> Row | None:
    """The row of this id, asked for once."""
    row = _held(session).get((kind, row_id)) or session.get(kind, row_id)
    return hold(session, cast("Row", row), row_id) if row else None


def hold(session: Session, row: Row, row_id: str) -> Row:
    """Also a new one that is not written yet."""
    _held(session)[(type(row), row_id)] = row
    return row


def drop_held(session: Session) -> None:
    """After rows were removed or changed behind the session's back."""
    _held(session).clear()


def _held(session: Session) -> dict[tuple[type[Base], str], Base]:
    return session.info.setdefault(_HELD, {})  # type: ignore[no-any-return]
