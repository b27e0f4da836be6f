"""What the composer learns: which machine a person chose for the same words, and how often in a row."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlmodel import Session, col, delete, select

from db.machines.models import ChoiceRow
from db.machines.revisions import touch_machines
from engine.decision import Learned

KEY_LIMIT = 200


def record_choice(session: Session, user_id: str, key: str, machine_id: str) -> None:
    """Another machine for the same words starts counting again."""
    row = session.get(ChoiceRow, (user_id, key[:KEY_LIMIT]))
    moment = datetime.now(UTC)
    if row is None:
        row = ChoiceRow(user_id=user_id, choice_key=key[:KEY_LIMIT], machine_id=machine_id, times=1, updated_at=moment)
        session.add(row)
    else:
        row.times = row.times + 1 if row.machine_id == machine_id else 1
        row.machine_id, row.updated_at = machine_id, moment
    touch_machines(session, user_id)
    session.flush()


def read_learned(session: Session, user_id: str) -> tuple[Learned, ...]:
    """The latest first."""
    rows = select(ChoiceRow).where(ChoiceRow.user_id == user_id).order_by(col(ChoiceRow.updated_at).desc())
    return tuple(Learned(row.choice_key, row.machine_id, row.times) for row in session.exec(rows))


def forget_choices(session: Session, user_id: str, key: str | None = None) -> None:
    """What was learned for one key, or all of it."""
    forgotten = delete(ChoiceRow).where(col(ChoiceRow.user_id) == user_id)
    session.exec(forgotten if key is None else forgotten.where(col(ChoiceRow.choice_key) == key))
    touch_machines(session, user_id)
