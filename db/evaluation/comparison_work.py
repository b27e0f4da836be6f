"""Who works on a comparison: one process at a time, and another one where that is gone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlmodel import Session, col, select, update

from db.evaluation.comparisons import Comparison
from db.models import ComparedLineRow, ComparisonRow
from db.processes import OWN_ID, is_gone

LATEST: Final = timedelta(hours=1)
"""What was left behind before that is nobody's any more: whoever wants it starts it anew."""


@dataclass(frozen=True, slots=True)
class LeftComparison:
    id: str
    user_id: str
    domain: str
    recipe: Mapping[str, Any]


def find_left(session: Session, now: datetime) -> tuple[LeftComparison, ...]:
    """Those that have not ended, that another process could go on with, and whose own process is gone."""
    running = select(ComparisonRow).where(
        ComparisonRow.status == "running",
        ComparisonRow.created_at > now - LATEST,
        col(ComparisonRow.worker).is_not(None),
        col(ComparisonRow.worker) != OWN_ID,
        col(ComparisonRow.wants_end).is_(False),
    )
    return tuple(
        LeftComparison(row.id, row.user_id, row.domain, row.recipe)
        for row in session.exec(running)
        if row.recipe and is_gone(session, row.worker or "", now, row.created_at)
    )


def claim(session: Session, comparison_id: str, now: datetime) -> LeftComparison | None:
    """Take it over; None where another process was quicker, or its own has come back."""
    found = next((each for each in find_left(session, now) if each.id == comparison_id), None)
    if found is None:
        return None
    row = session.get_one(ComparisonRow, comparison_id)
    taken = session.exec(
        update(ComparisonRow)
        .where(col(ComparisonRow.id) == comparison_id, col(ComparisonRow.worker) == row.worker)
        .values(worker=OWN_ID)
    )
    return found if taken.rowcount == 1 else None


def is_worked_on_elsewhere(session: Session, run: Comparison, now: datetime) -> bool:
    """Whether another process does; one's own knows what it works on."""
    if run.status != "running" or run.worker in (None, OWN_ID):
        return False
    return not is_gone(session, run.worker or "", now, run.created_at)


def find_done(session: Session, comparison_id: str) -> set[int]:
    """The numbers of the lines that are kept."""
    wanted = select(ComparedLineRow.line).where(ComparedLineRow.comparison_id == comparison_id)
    return set(session.exec(wanted))


def wants_end(session: Session, comparison_id: str) -> bool:
    found = session.exec(select(ComparisonRow.wants_end).where(ComparisonRow.id == comparison_id)).first()
    return bool(found)


def ask_to_end(session: Session, user_id: str, comparison_id: str) -> None:
    """Whichever process works on it hears so with its next lines."""
    own = (col(ComparisonRow.id) == comparison_id, col(ComparisonRow.user_id) == user_id)
    session.exec(update(ComparisonRow).where(*own).values(wants_end=True))
