"""Whether an open Machines page has something new to show."""

from __future__ import annotations

from sqlalchemy import update
from sqlmodel import Session, col, select

from db.models import UserRow


def touch_machines(session: Session, user_id: str) -> None:
    counted = update(UserRow).where(col(UserRow.id) == user_id)
    session.connection().execute(counted.values(machines_revision=UserRow.machines_revision + 1))


def read_machines_revision(session: Session, user_id: str) -> int:
    return session.exec(select(UserRow.machines_revision).where(UserRow.id == user_id)).one()
