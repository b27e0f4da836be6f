"""The chat of the Machines page: what was said, what the composer made of it, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, delete, func, select

from db.machine_models import MachineTurnRow
from db.models import UserRow


@dataclass(frozen=True, slots=True)
class MachineTurn:
    id: str
    text: str
    composition: Mapping[str, Any]
    results: tuple[Mapping[str, Any], ...]
    reply: str
    next_actions: tuple[Mapping[str, Any], ...]
    created_at: datetime


def add_machine_turn(
    session: Session,
    user_id: str,
    *,
    turn_id: str,
    text: str,
    composition: Mapping[str, Any],
    results: Sequence[Mapping[str, Any]],
    reply: str,
    next_actions: Sequence[Mapping[str, Any]],
) -> None:
    last = session.exec(select(func.max(MachineTurnRow.position)).where(MachineTurnRow.user_id == user_id)).one()
    row = MachineTurnRow(
        id=turn_id,
        user_id=user_id,
        position=(last or 0) + 1,
        text=text,
        composition=dict(composition),
        results=[dict(result) for result in results],
        reply=reply,
        next_actions=[dict(action) for action in next_actions],
        created_at=datetime.now(UTC),
    )
    session.add(row)
    touch_machines(session, user_id)
    session.flush()


def read_machine_turns(session: Session, user_id: str, *, limit: int | None = None) -> tuple[MachineTurn, ...]:
    """The latest, oldest of them first."""
    latest = select(MachineTurnRow).where(MachineTurnRow.user_id == user_id)
    rows = session.exec(latest.order_by(col(MachineTurnRow.position).desc()).limit(limit)).all()
    return tuple(_snapshot(row) for row in reversed(rows))


def find_machine_turn(session: Session, user_id: str, turn_id: str) -> MachineTurn | None:
    row = session.get(MachineTurnRow, turn_id)
    return _snapshot(row) if row is not None and row.user_id == user_id else None


def count_machine_turns(session: Session, user_id: str) -> int:
    return session.exec(select(func.count()).where(MachineTurnRow.user_id == user_id)).one()


def clear_machine_turns(session: Session, user_id: str) -> None:
    """The turns go; the machines, what was learned and the audit trail stay as they are."""
    session.exec(delete(MachineTurnRow).where(col(MachineTurnRow.user_id) == user_id))
    touch_machines(session, user_id)


def touch_machines(session: Session, user_id: str) -> None:
    """An open Machines page has something new to show."""
    counted = update(UserRow).where(col(UserRow.id) == user_id)
    session.connection().execute(counted.values(machines_revision=UserRow.machines_revision + 1))


def read_machines_revision(session: Session, user_id: str) -> int:
    return session.exec(select(UserRow.machines_revision).where(UserRow.id == user_id)).one()


def _snapshot(row: MachineTurnRow) -> MachineTurn:
    return MachineTurn(
        row.id,
        row.text,
        row.composition,
        tuple(row.results),
        row.reply,
        tuple(row.next_actions),
        row.created_at,
    )
