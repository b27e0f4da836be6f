"""A task's row as a plain image: what the audit trail keeps, and what undo puts back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Any, cast

from sqlmodel import Session

from db import sqlite
from db.models import TaskRow
from db.tasks.due import make_due
from engine.text.folding import fold, split_words
from engine.values import Priority, Status, Task

Image = dict[str, Any]

_PLAIN = ("id", "user_id", "number", "search_id", "title", "description", "priority", "status", "demo_key")
_TIMES = ("created_at", "updated_at", "completed_at")


def make_image(row: TaskRow) -> Image:
    """Everything but the columns that follow from the title and description."""
    image: Image = {name: getattr(row, name) for name in _PLAIN}
    image["due_date"] = row.due_date.isoformat() if row.due_date else None
    image["due_time"] = row.due_time.isoformat() if row.due_time else None
    image.update({name: value.isoformat() if (value := getattr(row, name)) else None for name in _TIMES})
    return image


def apply_image(session: Session, task_id: str, image: Image | None) -> None:
    """Make the task what the image says: restored, or gone where the image is None."""
    row = session.get(TaskRow, task_id)
    if image is None:
        if row is not None:
            remove_row(session, row)
    elif row is None:
        session.add(set_search_columns(session, TaskRow(**_values(image))))
    else:
        for name, value in _values(image).items():
            setattr(row, name, value)
        set_search_columns(session, row)
    session.flush()


def remove_row(session: Session, row: TaskRow) -> None:
    """The task, and those of its words that no other task of the person has."""
    serial, words = row.search_id >> sqlite.SERIAL_SHIFT, _words_of(row)
    session.delete(row)
    session.flush()
    sqlite.forget_words(session.connection(), serial, words)


def set_search_columns(session: Session, row: TaskRow) -> TaskRow:
    """Fill what is derived from the title and description; call it after every change of them, as the last thing."""
    before = _words_of(row)
    _fill(row)
    after, serial = _words_of(row), row.search_id >> sqlite.SERIAL_SHIFT
    sqlite.remember_words(session.connection(), serial, after - before)
    if before - after:
        session.flush()  # the index must know the new words before it is asked for the old ones
        sqlite.forget_words(session.connection(), serial, before - after)
    return row


def add_search_columns(session: Session, rows: Sequence[TaskRow]) -> Sequence[TaskRow]:
    """The same for new tasks of one person."""
    for row in rows:
        _fill(row)
    if rows:
        words = {word for row in rows for word in _words_of(row)}
        sqlite.remember_words(session.connection(), rows[0].search_id >> sqlite.SERIAL_SHIFT, words)
    return rows


def _fill(row: TaskRow) -> None:
    row.title_key = fold(row.title)
    row.title_words, row.description_words = " ".join(split_words(row.title)), " ".join(split_words(row.description))


def _words_of(row: TaskRow) -> set[str]:
    return {*(row.title_words or "").split(), *(row.description_words or "").split()}


def make_task(row: TaskRow) -> Task:
    """The snapshot that leaves the room."""
    return Task(
        id=row.id,
        number=row.number,
        title=row.title,
        description=row.description,
        priority=cast(Priority, row.priority),
        status=cast(Status, row.status),
        due_date=make_due(row.due_date, row.due_time),
        created_at=row.created_at.isoformat(timespec="seconds"),
        updated_at=row.updated_at.isoformat(timespec="seconds"),
        completed_at=row.completed_at.isoformat(timespec="seconds") if row.completed_at else None,
    )


def _values(image: Image) -> dict[str, Any]:
    values: dict[str, Any] = {name: image[name] for name in _PLAIN}
    values["due_date"] = date.fromisoformat(image["due_date"]) if image["due_date"] else None
    values["due_time"] = time.fromisoformat(image["due_time"]) if image["due_time"] else None
    values.update({name: datetime.fromisoformat(image[name]) if image[name] else None for name in _TIMES})
    return values
