"""What a person said about labels that may be wrong. A label is known by its case's key: it is settled for all runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from sqlmodel import Session, col, select

from db.evaluation.run_models import SettledLabelRow

LabelVerdict = Literal["right", "wrong", "unsure"]
LABEL_VERDICTS: tuple[LabelVerdict, ...] = ("right", "wrong", "unsure")


@dataclass(frozen=True, slots=True)
class SettledLabel:
    key: str
    verdict: LabelVerdict
    text: str
    note: str
    """What the deciders agreed on, in words."""
    created_at: datetime


def settle_label(session: Session, user_id: str, key: str, verdict: LabelVerdict, *, text: str, note: str = "") -> None:
    """Say, or say anew, how it stands with a label."""
    row = session.get(SettledLabelRow, (user_id, key))
    moment = datetime.now(UTC)
    if row is None:
        session.add(
            SettledLabelRow(user_id=user_id, case_key=key, verdict=verdict, text=text, note=note, created_at=moment)
        )
    else:
        row.verdict, row.note, row.created_at = verdict, note, moment
    session.flush()


def unsettle_label(session: Session, user_id: str, key: str) -> bool:
    """Take it back; whether there was anything."""
    row = session.get(SettledLabelRow, (user_id, key))
    if row is None:
        return False
    session.delete(row)
    session.flush()
    return True


def list_settled(session: Session, user_id: str, keys: Iterable[str] | None = None) -> tuple[SettledLabel, ...]:
    """The latest first: the first one is what an undo takes back."""
    own = select(SettledLabelRow).where(SettledLabelRow.user_id == user_id)
    wanted = None if keys is None else set(keys)
    rows = session.exec(own.order_by(col(SettledLabelRow.created_at).desc(), col(SettledLabelRow.case_key)))
    return tuple(
        SettledLabel(row.case_key, row.verdict, row.text, row.note, row.created_at)  # type: ignore[arg-type]
        for row in rows
        if wanted is None or row.case_key in wanted
    )
