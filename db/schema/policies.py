"""The schema's version for policies that are edited and kept; see `db.schema.migrations`. Frozen history."""

from __future__ import annotations

from sqlalchemy import Connection


def add_policy_versions(connection: Connection) -> None:
    for statement in (
        # A file is kept once, whichever versions have it: most versions differ in one.
        """CREATE TABLE policy_files (
               sha256 VARCHAR(64) PRIMARY KEY,
               content BLOB NOT NULL)""",
        """CREATE TABLE policy_versions (
               id VARCHAR(36) PRIMARY KEY,
               domain VARCHAR(40) NOT NULL,
               language VARCHAR(20) NOT NULL,
               sequence INTEGER NOT NULL CHECK (sequence > 0),
               digest VARCHAR(8) NOT NULL,
               parent VARCHAR(8) NOT NULL,
               author VARCHAR(80) NOT NULL,
               note TEXT NOT NULL,
               reason TEXT NOT NULL,
               files JSON NOT NULL,
               edits JSON NOT NULL,
               diff TEXT NOT NULL,
               evidence JSON NOT NULL,
               created_at TIMESTAMP NOT NULL,
               UNIQUE (domain, language, sequence))""",
        "CREATE INDEX policy_versions_by_digest ON policy_versions (digest)",
        # What was put in force, for everybody (an empty scope) or for one session. Rows are only ever added.
        """CREATE TABLE policy_activations (
               id INTEGER PRIMARY KEY,
               domain VARCHAR(40) NOT NULL,
               language VARCHAR(20) NOT NULL,
               scope VARCHAR(80) NOT NULL,
               version_id VARCHAR(36) REFERENCES policy_versions(id),
               author VARCHAR(80) NOT NULL,
               created_at TIMESTAMP NOT NULL)""",
        "CREATE INDEX policy_activations_by_scope ON policy_activations (domain, language, scope, id)",
    ):
        connection.exec_driver_sql(statement)
