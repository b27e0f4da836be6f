"""The tables of reviewing; see `db.models` for the others."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field

from db.models import Base


class VerdictRow(Base, table=True):
    """What somebody who reviewed a turn says about one lane's decision. It goes with its turn."""

    __tablename__ = "verdicts"

    turn_id: str = Field(primary_key=True, foreign_key="turns.id")
    lane: str = Field(primary_key=True)
    user_id: str = Field(foreign_key="users.id")
    domain: str = "tasks"
    """Of the turn."""
    verdict: str
    case_id: str | None = Field(default=None, foreign_key="cases.id")
    """The case that says the same; None if there is none to make, or if somebody removed it."""
    created_at: datetime
    changed_at: datetime


class VerdictChangeRow(Base, table=True):
    """Every verdict that was given, changed or taken back. Rows are only ever added, and outlive a cleared turn."""

    __tablename__ = "verdict_changes"

    id: str = Field(primary_key=True)
    user_id: str = Field(foreign_key="users.id")
    sequence: int
    """Counts up per user."""
    domain: str = "tasks"
    """Of the turn."""
    turn_id: str
    lane: str
    before: str | None = None
    after: str | None = None
    undoes: str | None = None
    """The change that this one takes back."""
    created_at: datetime
