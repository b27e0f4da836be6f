"""The schema's versions for comparing lanes, in the order in which `db.schema.migrations` runs them. Frozen history."""

from __future__ import annotations

import json

from sqlalchemy import Connection, text

from engine.border.json_form import from_json
from engine.decision import Decision
from engine.explaining.agreement import standing_of


def add_agreements(connection: Connection) -> None:
    """A column of its own: lists filter and sort by it, and to read both decisions of every turn would be too slow."""
    connection.exec_driver_sql("ALTER TABLE turns ADD COLUMN agreement VARCHAR(14)")
    connection.exec_driver_sql("CREATE INDEX turns_by_agreement ON turns (user_id, agreement, created_at, llm_status)")
    pairs = connection.execute(
        text(
            """SELECT turns.id, first.body, second.body FROM turns
               JOIN decisions AS first ON first.turn_id = turns.id AND first.decider = 'engine'
               JOIN decisions AS second ON second.turn_id = turns.id AND second.decider = 'llm'
               WHERE turns.llm_status = 'answered'"""
        )
    ).all()
    for turn_id, engine, llm in pairs:
        try:
            found = standing_of(from_json(Decision, json.loads(engine)), from_json(Decision, json.loads(llm)))
        except (KeyError, ValueError, TypeError):
            continue  # a record of another form; the turn stays, and counts as not compared
        connection.execute(text("UPDATE turns SET agreement = :found WHERE id = :id"), {"found": found, "id": turn_id})


def add_comparisons(connection: Connection) -> None:
    for statement in (
        """CREATE TABLE comparisons (
               id VARCHAR(36) PRIMARY KEY,
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               name VARCHAR(80) NOT NULL,
               status VARCHAR(9) NOT NULL CHECK (status IN ('running', 'done', 'cancelled', 'failed')),
               deciders JSON NOT NULL,
               total INTEGER NOT NULL,
               done INTEGER NOT NULL,
               summary JSON NOT NULL,
               problems JSON NOT NULL,
               created_at TIMESTAMP NOT NULL)""",
        "CREATE INDEX comparisons_by_user ON comparisons (user_id, created_at)",
        """CREATE TABLE comparison_lines (
               comparison_id VARCHAR(36) NOT NULL REFERENCES comparisons(id),
               line INTEGER NOT NULL,
               text TEXT NOT NULL,
               context JSON,
               intent VARCHAR(20) NOT NULL,
               differs BOOLEAN NOT NULL,
               silent BOOLEAN NOT NULL,
               broken BOOLEAN NOT NULL,
               answers JSON NOT NULL,
               PRIMARY KEY (comparison_id, line))""",
    ):
        connection.exec_driver_sql(statement)


def add_expectations(connection: Connection) -> None:
    """What a line should have come to; in `wrong` whether a decider missed it, nothing where nothing was expected."""
    connection.exec_driver_sql("ALTER TABLE comparison_lines ADD COLUMN expected JSON")
    connection.exec_driver_sql("ALTER TABLE comparison_lines ADD COLUMN wrong BOOLEAN")
