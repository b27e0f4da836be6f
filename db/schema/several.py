"""The schema's version in which several processes serve one store: what one of them knew alone stands in it. Frozen
history."""

from __future__ import annotations

from sqlalchemy import Connection


def add_processes(connection: Connection) -> None:
    for statement in (
        """CREATE TABLE processes (
               id VARCHAR(36) PRIMARY KEY,
               started_at TIMESTAMP NOT NULL,
               seen_at TIMESTAMP NOT NULL)""",
        """CREATE TABLE confirmations (
               digest VARCHAR(64) PRIMARY KEY,
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               tool_call JSON NOT NULL,
               asked JSON NOT NULL,
               shown VARCHAR(80) NOT NULL,
               held_at FLOAT NOT NULL,
               until FLOAT NOT NULL)""",
        "CREATE INDEX confirmations_by_user ON confirmations (user_id, held_at)",
        # Turns and comparisons of before belong to no process: nobody works on them any more.
        "ALTER TABLE turns ADD COLUMN worker VARCHAR(36)",
        "ALTER TABLE comparisons ADD COLUMN worker VARCHAR(36)",
        "ALTER TABLE comparisons ADD COLUMN wants_end BOOLEAN NOT NULL DEFAULT FALSE",
        "ALTER TABLE comparisons ADD COLUMN recipe JSON",
        "ALTER TABLE evaluation_runs ADD COLUMN wants_end BOOLEAN NOT NULL DEFAULT FALSE",
    ):
        connection.exec_driver_sql(statement)
