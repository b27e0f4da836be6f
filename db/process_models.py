"""The tables of several processes with one store; see `db.models` for the others."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field

from db.models import Base


class ProcessRow(Base, table=True):
    """A process of the workbench that is there, or was a moment ago."""

    __tablename__ = "processes"

    id: str = Field(primary_key=True)
    started_at: datetime
    seen_at: datetime
    """When it last said so."""


class ConfirmationRow(Base, table=True):
    """A call that waits for a yes. Its code is nowhere: only what it hashes to."""

    __tablename__ = "confirmations"

    digest: str = Field(primary_key=True)
    user_id: str = Field(foreign_key="users.id")
    tool_call: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    asked: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """The arguments as the client sent them."""
    shown: str
    """A mark of what it is about as it was shown."""
    held_at: float
    until: float
    """By the clock on the wall: processes have no other in common."""
