"""Tasks as they were read before: a row that says the same again is not made into a task again.

Every message reads all tasks of a person who has few, and the list beside the chat reads some of them once more. Most
say what they said at the last message. Each row is compared whole, as the database itself gives it, so what is kept is
never older than the store, whoever changed it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from sqlalchemy import Dialect, Executable, Select, select, type_coerce
from sqlalchemy.types import NullType
from sqlmodel import Session, col

from db.models import TaskRow
from db.plain_rows import read_rows, table_of
from db.tasks.images import make_task
from engine.values import Task

_MOST_KEPT = 10_000
_COLUMNS = tuple(each for each in table_of(TaskRow).columns if each.name != "demo_key")


class KeptTask(NamedTuple):
    """A task, and what is asked of it while a message is read."""

    id: str
    user_id: str
    number: int
    search_id: int
    title_key: str
    title_words: frozenset[str]
    noted_words: frozenset[str]
    updated_at: datetime
    task: Task


_kept: OrderedDict[tuple[Any, ...], KeptTask] = OrderedDict()
"""By what its row says."""
_lock = threading.Lock()


def choose_tasks() -> Select[*tuple[Any, ...]]:
    """To be asked by `read_tasks`. The values come as the database has them: to make moments of three texts takes
    longer than to read the row."""
    return select(*[type_coerce(col(getattr(TaskRow, each.name)), NullType()).label(each.name) for each in _COLUMNS])


def read_tasks(session: Session, question: Executable, values: Mapping[str, Any]) -> list[KeptTask]:
    """What a question made with `choose_tasks` finds, in its order."""
    rows = [tuple(row) for row in read_rows(session, question, values).all()]
    with _lock:
        found = [_kept.get(row) for row in rows]
    if None not in found:
        return cast("list[KeptTask]", found)
    dialect = session.connection().dialect
    made = {row: _make(row, dialect) for row, kept in zip(rows, found, strict=True) if kept is None}
    with _lock:
        _kept.update(made)
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)
    return [kept or made[row] for row, kept in zip(rows, found, strict=True)]


def _make(row: tuple[Any, ...], dialect: Dialect) -> KeptTask:
    read = zip(_COLUMNS, _readers(dialect), row, strict=True)
    columns = SimpleNamespace(**{each.name: reader(value) if reader else value for each, reader, value in read})
    return KeptTask(
        columns.id,
        columns.user_id,
        columns.number,
        columns.search_id,
        columns.title_key,
        frozenset(columns.title_words.split()),
        frozenset(columns.description_words.split()),
        columns.updated_at,
        make_task(columns),
    )


@lru_cache(maxsize=8)
def _readers(dialect: Dialect) -> tuple[Callable[[Any], Any] | None, ...]:
    """What makes a value of what this database gives, column by column."""
    return tuple(each.type.dialect_impl(dialect).result_processor(dialect, None) for each in _COLUMNS)
