"""What lets a turn that was cut off be gone on with, and nothing be done twice."""

from __future__ import annotations

from sqlalchemy import Connection


def add_progress(connection: Connection) -> None:
    for statement in (
        "ALTER TABLE turns ADD COLUMN progress JSON",
        # Calls of the versions before have no key, and none is held against another.
        "ALTER TABLE tool_calls ADD COLUMN call_key VARCHAR(80)",
        "CREATE UNIQUE INDEX tool_calls_by_key ON tool_calls (call_key) WHERE call_key IS NOT NULL",
    ):
        connection.exec_driver_sql(statement)
