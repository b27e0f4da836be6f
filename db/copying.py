"""From one database to another, whichever kinds they are: `python -m db copy FROM TO`.

Everything is read in one state of the source and written in one transaction of the target, which must be empty; then
each table is counted on both sides. The word index is not copied: the target makes its own, by its own triggers. What
was copied is what the models know, so both sides are brought to this Twolane's version first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, func, insert, inspect, select, text

from db import login_models, process_models
from db.connection import Database
from db.dialects import words_of
from db.evaluation import review_models, run_models
from db.failures import StoreUnavailableError
from db.items import service as items
from db.machines import models as machine_models
from db.models import Base, TaskRow
from db.policies import models as policy_models
from db.search_ids import serial_of

_MODELS = (review_models, run_models, items, machine_models, policy_models, login_models, process_models)
"""Read, so that all tables are known."""
_OWN = {"schema_version", "alembic_version", "words", "word_parts", "task_words"}
"""What each database has of its own."""
_AT_ONCE = 2_000
_SEQUENCED = ("tool_calls", "verdict_changes")
"""Their rows name earlier ones of the same table: these must be there first."""


class CopyFailedError(Exception):
    """In a sentence for whoever asked. The target is as it was."""


def copy_store(source: str, target: str, *, tell: Callable[[str], None] = lambda _line: None) -> dict[str, int]:
    """How many rows of each table were copied."""
    if source.startswith("sqlite:///") and not Path(source.removeprefix("sqlite:///")).exists():
        raise CopyFailedError(f"There is no database at {source.removeprefix('sqlite:///')}.")
    try:
        old, new = Database(source), Database(target)
    except StoreUnavailableError as error:
        raise CopyFailedError(f"{error} Nothing was copied.") from error
    try:
        with old.read() as reading, new.write() as writing:
            return _copy_all(reading.connection(), writing.connection(), tell)
    except StoreUnavailableError as error:
        raise CopyFailedError(f"{error} Nothing was copied.") from error
    finally:
        old.close()
        new.close()


def _copy_all(source: Connection, target: Connection, tell: Callable[[str], None]) -> dict[str, int]:
    tables = _in_order(target)
    _refuse_unknown(source, tables)
    full = next((table.name for table in tables if _count(target, table)), None)
    if full:
        raise CopyFailedError(f"There is something in the table {full} of the target already; nothing was copied.")
    counts = {}
    for table in tables:
        for rows in _in_parts(_read(source, table)):
            target.execute(insert(table), rows)
            if table.name == TaskRow.__tablename__:
                _remember(target, rows)
        counts[table.name] = _count(source, table)
        found = _count(target, table)
        if found != counts[table.name]:
            message = f"{table.name}: {counts[table.name]} rows were read and {found} arrived; nothing was copied."
            raise CopyFailedError(message)
        tell(f"{table.name}: {found}")
    _go_on_counting(target, tables)
    return counts


def _in_order(target: Connection) -> list[Table]:
    """What others refer to first, as the database itself has it: the models do not say all of that."""
    names = [name for name, _ in inspect(target).get_sorted_table_and_fkc_names() if name]
    return sorted(Base.metadata.tables.values(), key=lambda table: names.index(table.name))


def _refuse_unknown(source: Connection, tables: Iterable[Table]) -> None:
    """A table that no model knows would be left behind in silence."""
    known = {table.name for table in tables} | _OWN
    strange = [
        name for name in inspect(source).get_table_names() if name not in known and not name.startswith(tuple(_OWN))
    ]
    if strange:
        raise CopyFailedError(
            f"The source has tables that are not of Twolane ({', '.join(strange)}); nothing was copied."
        )


def _read(source: Connection, table: Table) -> Iterator[dict[str, Any]]:
    order = ("user_id", "sequence") if table.name in _SEQUENCED else table.primary_key.columns.keys()
    query = select(table).order_by(*(table.c[name] for name in order))
    # Read as they are needed: a million rows need not fit into memory.
    yield from (dict(row) for row in source.execution_options(yield_per=_AT_ONCE).execute(query).mappings())


def _in_parts(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while some := list(islice(rows, _AT_ONCE)):
        yield some


def _remember(target: Connection, rows: Iterable[dict[str, Any]]) -> None:
    words: dict[int, set[str]] = {}
    for row in rows:
        own = words.setdefault(serial_of(row["search_id"]), set())
        own.update(row["title_words"].split(), row["description_words"].split())
    for serial, said in words.items():
        words_of(target).remember_words(target, serial, said)


def _go_on_counting(target: Connection, tables: Iterable[Table]) -> None:
    """Numbers that the database itself gives go on after those that came along."""
    if target.dialect.name != "postgresql":
        return
    for table in tables:
        column = table.autoincrement_column
        if column is not None:
            highest = target.execute(select(func.max(column))).scalar()
            if highest:
                sequence = text("SELECT setval(pg_get_serial_sequence(:table, :column), :highest)")
                target.execute(sequence, {"table": table.name, "column": column.name, "highest": highest})


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())
