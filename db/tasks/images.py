"""A task's row as a plain image: what the audit trail keeps, and what undo puts back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from types import SimpleNamespace
from typing import Any, cast

from sqlalchemy import bindparam, delete, insert, select, update
from sqlmodel import Session, col

from db.dialects import words_of
from db.models import TaskRow
from db.search_ids import serial_of
from db.tasks.due import make_due
from engine.text.folding import fold, split_words
from engine.values import Priority, Status, Task

Image = dict[str, Any]
_INSERT = insert(TaskRow)

_PLAIN = ("id", "user_id", "number", "search_id", "title", "description", "priority", "status", "demo_key")
_TIMES = ("created_at", "updated_at", "completed_at")


def make_image(row: TaskRow) -> Image:
    """Everything but the columns that follow from the title and description."""
    image: Image = {name: getattr(row, name) for name in _PLAIN}
    image["due_date"] = row.due_date.isoformat() if row.due_date else None
    image["due_time"] = row.due_time.isoformat() if row.due_time else None
    image.update({name: value.isoformat() if (value := getattr(row, name)) else None for name in _TIMES})
    return image


def find_images(session: Session, user_id: str, task_ids: Collection[str]) -> dict[str, Image]:
    """How the person's tasks with these ids are now; those that are gone are missing."""
    return {row.id: make_image(row) for row in _read_rows(session, user_id, task_ids)}


def apply_images(session: Session, user_id: str, images: Mapping[str, Image | None]) -> None:
    """Make the tasks what the images say: restored, changed, or gone where an image is None.

    In a statement for many, past the session: with an object for each, taking back an import of 5,000 took 22 s.
    """
    session.flush()
    connection = session.connection()
    rows = {row.id: row for row in _read_rows(session, user_id, images)}
    gone = [task_id for task_id in rows if images[task_id] is None]
    wanted = [_columns(image) for image in images.values() if image]
    before = {word for row in rows.values() for word in _words_of(row)}
    after = {word for values in wanted for word in _words_in(values)}
    serials = {serial_of(row.search_id) for row in rows.values()}
    serials |= {serial_of(int(values["search_id"])) for values in wanted}
    for serial in serials:  # one person has one
        words_of(connection).remember_words(connection, serial, after)
    for some in _in_parts(gone):
        connection.execute(delete(TaskRow).where(col(TaskRow.id).in_(some)))
    new = [values for values in wanted if values["id"] not in rows]
    if new:
        connection.execute(insert(TaskRow), new)
    changed = [{f"new_{name}": value for name, value in values.items()} for values in wanted if values["id"] in rows]
    if changed:
        columns: dict[str, Any] = {name: bindparam(f"new_{name}") for name in wanted[0] if name != "id"}
        connection.execute(update(TaskRow).where(col(TaskRow.id) == bindparam("new_id")).values(columns), changed)
    for serial in serials:
        words_of(connection).forget_words(connection, serial, before - after)
    session.expire_all()  # what was read before may be otherwise now


def _read_rows(session: Session, user_id: str, task_ids: Collection[str]) -> Iterator[Any]:
    """As plain rows, for many of them."""
    table = TaskRow.__table__  # type: ignore[attr-defined]
    for some in _in_parts(list(task_ids)):
        yield from session.connection().execute(select(table).where(table.c.id.in_(some), table.c.user_id == user_id))


def _in_parts(values: Sequence[str]) -> Iterator[Sequence[str]]:
    return (values[start : start + _AT_ONCE] for start in range(0, len(values), _AT_ONCE))


_AT_ONCE = 500
"""Ids in one statement."""


def remove_row(session: Session, row: TaskRow) -> None:
    """The task, and those of its words that no other task of the person has."""
    serial, words = serial_of(row.search_id), _words_of(row)
    session.delete(row)
    session.flush()
    words_of(session.connection()).forget_words(session.connection(), serial, words)


def set_search_columns(session: Session, row: TaskRow) -> TaskRow:
    """Fill what is derived from the title and description; call it after every change of them, as the last thing."""
    before = _words_of(row)
    _fill(row)
    after, serial = _words_of(row), serial_of(row.search_id)
    index = words_of(session.connection())
    index.remember_words(session.connection(), serial, after - before)
    if before - after:
        session.flush()  # the index must know the new words before it is asked for the old ones
        index.forget_words(session.connection(), serial, before - after)
    return row


def insert_rows(session: Session, rows: Sequence[dict[str, Any]]) -> list[Any]:
    """New tasks of one person, in one statement; each as it stands in the store."""
    whole = [{**row, **_derived(row["title"], row["description"])} for row in rows]
    if whole:
        connection, serial = session.connection(), serial_of(int(whole[0]["search_id"]))
        words_of(connection).remember_words(connection, serial, {word for row in whole for word in _words_in(row)})
        connection.execute(_INSERT, whole)
    return [SimpleNamespace(**row) for row in whole]


def _fill(row: TaskRow) -> None:
    for name, value in _derived(row.title, row.description).items():
        setattr(row, name, value)


def _derived(title: str, description: str) -> dict[str, str]:
    """The columns that follow from the title and description."""
    words, noted = " ".join(split_words(title)), " ".join(split_words(description))
    return {"title_key": fold(title), "title_words": words, "description_words": noted}


def _words_of(row: TaskRow) -> set[str]:
    return {*(row.title_words or "").split(), *(row.description_words or "").split()}


def _words_in(values: Mapping[str, Any]) -> set[str]:
    return {*values["title_words"].split(), *values["description_words"].split()}


def _columns(image: Image) -> dict[str, Any]:
    """The whole row that an image stands for."""
    return {**_values(image), **_derived(image["title"], image["description"])}


def make_task(row: Any) -> Task:
    """The snapshot that leaves the room, of whatever has a row's columns."""
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
