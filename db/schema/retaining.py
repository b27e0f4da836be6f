"""The schema's version in which turns may lose their words after a while. Frozen history."""

from __future__ import annotations

from sqlalchemy import Connection


def add_retention(connection: Connection) -> None:
    for statement in (
        "ALTER TABLE turns ADD COLUMN stripped_at TIMESTAMP",
        # Only what still has its words is looked through: the index stays as small as the time they are kept.
        "CREATE INDEX turns_with_words ON turns (created_at) WHERE stripped_at IS NULL",
    ):
        connection.exec_driver_sql(statement)
