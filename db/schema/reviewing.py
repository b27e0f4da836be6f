"""The schema's versions for reviewing turns, in the order in which `db.schema.migrations` runs them. Frozen history."""

from __future__ import annotations

from sqlalchemy import Connection, text

from db import sqlite
from engine.text.folding import fold

_BATCH = 500


def add_verdicts(connection: Connection) -> None:
    for statement in (
        # Cases of the versions before were all saved by hand.
        "ALTER TABLE cases ADD COLUMN from_review BOOLEAN NOT NULL DEFAULT 0",
        """CREATE TABLE verdicts (
               turn_id VARCHAR(36) NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
               lane VARCHAR(6) NOT NULL CHECK (lane IN ('engine', 'llm')),
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               verdict VARCHAR(6) NOT NULL CHECK (verdict IN ('right', 'wrong', 'unsure')),
               case_id VARCHAR(36) REFERENCES cases(id) ON DELETE SET NULL,
               created_at TIMESTAMP NOT NULL,
               changed_at TIMESTAMP NOT NULL,
               PRIMARY KEY (turn_id, lane))""",
        "CREATE INDEX verdicts_by_user ON verdicts (user_id, lane, verdict, turn_id)",
        "CREATE INDEX verdicts_by_case ON verdicts (case_id)",
        """CREATE TABLE verdict_changes (
               id VARCHAR(36) PRIMARY KEY,
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               sequence INTEGER NOT NULL,
               turn_id VARCHAR(36) NOT NULL,
               lane VARCHAR(6) NOT NULL,
               before VARCHAR(6),
               after VARCHAR(6),
               undoes VARCHAR(36) REFERENCES verdict_changes(id),
               created_at TIMESTAMP NOT NULL,
               UNIQUE (user_id, sequence))""",
        "CREATE INDEX verdict_changes_by_undone ON verdict_changes (undoes)",
    ):
        connection.exec_driver_sql(statement)
    sqlite.make_append_only(connection, "verdict_changes")


def add_review_domains(connection: Connection) -> None:
    """Cases, verdicts and comparisons say which domain they are about; those of the versions before are about tasks,
    but for verdicts on turns of another domain, and the cases that these made."""
    tables = ("cases", "verdicts", "verdict_changes", "comparisons")
    for statement in (
        *(f"ALTER TABLE {table} ADD COLUMN domain VARCHAR(40) NOT NULL DEFAULT 'tasks'" for table in tables),
        "UPDATE verdicts SET domain = (SELECT domain FROM turns WHERE turns.id = verdicts.turn_id)",
        """UPDATE cases SET domain = (SELECT max(domain) FROM verdicts WHERE verdicts.case_id = cases.id)
               WHERE id IN (SELECT case_id FROM verdicts)""",
    ):
        connection.exec_driver_sql(statement)


def add_folded_texts(connection: Connection) -> None:
    """Search that knows no case and no accents, and lists that read indexes alone: a row of turns or decisions is
    mostly JSON, and to walk a hundred thousand of them took half a second."""
    connection.exec_driver_sql("ALTER TABLE turns ADD COLUMN text_key TEXT NOT NULL DEFAULT ''")
    found = connection.execute(text("SELECT id, text FROM turns"))
    keys = [{"id": row[0], "key": fold(row[1])} for row in found]
    for start in range(0, len(keys), _BATCH):
        connection.execute(text("UPDATE turns SET text_key = :key WHERE id = :id"), keys[start : start + _BATCH])
    for statement in (
        "DROP INDEX turns_by_user",
        """CREATE INDEX turns_by_time ON turns
               (user_id, created_at, position, id, agreement, llm_status, text_key)""",
        "DROP INDEX decisions_by_turn",
        """CREATE INDEX decisions_by_turn ON decisions
               (turn_id, decider, reason, confidence, elapsed_ms)""",
        "CREATE INDEX decisions_by_reading ON decisions (user_id, intent, action, reason, decider, turn_id)",
        "CREATE INDEX turns_by_standing ON turns (user_id, agreement, llm_status)",
        "CREATE INDEX tool_calls_by_undone ON tool_calls (undoes)",
    ):
        connection.exec_driver_sql(statement)
