"""Rows read as they are, without an object of SQLAlchemy's for each.

For what only looks: to make an object of a row, and to watch it for changes, took longer than to have it read. A row
has its columns by their names, as the object would.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import CursorResult, Executable, Table
from sqlmodel import Session

from db.models import Base


def table_of(kind: type[Base]) -> Table:
    table: Table = kind.__table__  # type: ignore[attr-defined]
    return table


def read_rows(session: Session, question: Executable, values: Mapping[str, Any]) -> CursorResult[Any]:
    """The answer to a question that was made once, with these values in it."""
    session.flush()  # what the session itself has changed so far is seen, too
    return session.connection().execute(question, values)
