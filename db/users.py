"""People. With a login they are found by it (`db.logins`); without one the workbench is local, and the user switch
shows that nobody sees another's tasks."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, bindparam
from sqlmodel import Session, col, func, select

from db.failures import ToolFailure
from db.models import UserRow
from db.plain_rows import read_rows, table_of
from db.roles import Role
from db.text import clean_title
from engine.text.folding import fold
from engine.values import ErrorKind

NAME_LIMIT = 80
# Made once: to put a question together takes as long as to have it answered, and every message asks these.
_BY_HANDLE = table_of(UserRow).select().where(col(UserRow.handle) == bindparam("handle"))
_REVISION = select(UserRow.revision).where(UserRow.id == bindparam("id"))


@dataclass(frozen=True, slots=True)
class User:
    id: str
    serial: int
    handle: str
    name: str
    revision: int
    """Grows with every change of this user's tasks."""
    role: Role | None = None
    """As of the last login; None: this person never logged in."""


def create_user(session: Session, name: str, *, handle: str | None = None, stage: bool = False) -> User:
    cleaned = clean_title(name)
    if len(cleaned) > NAME_LIMIT:
        raise ToolFailure(ErrorKind.INVALID_VALUE, f"A name must be at most {NAME_LIMIT} characters.")
    row = UserRow(
        id=str(uuid.uuid4()),
        serial=(session.exec(select(func.max(UserRow.serial))).one() or 0) + 1,
        handle=_free_handle(session, handle or cleaned),
        name=cleaned,
        stage=stage,
        created_at=datetime.now(UTC),
    )
    session.add(row)
    session.flush()
    return snapshot_user(row)


def list_users(session: Session) -> tuple[User, ...]:
    """Everybody but those made for a demonstration."""
    people = select(UserRow).where(col(UserRow.stage).is_(False)).order_by(col(UserRow.serial))
    return tuple(snapshot_user(row) for row in session.exec(people))


def find_user(session: Session, handle: str) -> User | None:
    row = read_rows(session, _BY_HANDLE, {"handle": handle}).first()
    return snapshot_user(row) if row else None


def read_revision(session: Session, user_id: str) -> int:
    return int(read_rows(session, _REVISION, {"id": user_id}).scalar_one())


def _free_handle(session: Session, wish: str) -> str:
    base = re.sub(r"[^a-z0-9]+", "-", fold(wish)).strip("-")[:30] or "person"
    taken = set(session.exec(select(UserRow.handle).where(col(UserRow.handle).startswith(base))))
    return next(
        handle for handle in (base, *(f"{base}-{count}" for count in range(2, len(taken) + 3))) if handle not in taken
    )


def snapshot_user(row: UserRow | Row[Any]) -> User:
    return User(row.id, row.serial, row.handle, row.name, row.revision, row.role)  # type: ignore[arg-type]
