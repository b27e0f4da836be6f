"""The store at schema version 21, where Alembic begins. Frozen history.

SQLite comes there by the functions of `db.schema.migrations`, from whatever version a database has, as it always did.
PostgreSQL begins there, with the SQL files beside this one.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, text

from db.schema.migrations import migrate

BASELINE = 21
_FILES = ("postgres_tables.sql", "postgres_reviewing.sql", "postgres_words.sql")


def make_baseline(connection: Connection) -> None:
    """Inside the caller's transaction; a database that is there already is left as it is."""
    if connection.dialect.name == "sqlite":
        migrate(connection, target=BASELINE)
    else:
        _make_on_postgres(connection)


def _make_on_postgres(connection: Connection) -> None:
    for name in _FILES:
        sql = (Path(__file__).parent / name).read_text(encoding="utf-8")
        # Byte by byte: see the head of the first file. Only columns: arguments of functions have no collation.
        lines = (
            line.replace(" TEXT", ' TEXT COLLATE "C"') if line.startswith("    ") else line for line in sql.splitlines()
        )
        # The driver takes several statements at once, but only where nothing is to be filled in.
        connection.exec_driver_sql("\n".join(lines), execution_options={"no_parameters": True})
    connection.exec_driver_sql(
        "CREATE TABLE schema_version (version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at TIMESTAMPTZ NOT NULL)"
    )
    connection.execute(
        text("INSERT INTO schema_version VALUES (:version, 'baseline', CURRENT_TIMESTAMP)"), {"version": BASELINE}
    )
