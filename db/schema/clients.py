"""The schema's version for programs that use the tools over MCP, as `db.schema.migrations` runs it. Frozen history."""

from __future__ import annotations

from sqlalchemy import Connection


def add_access_tokens(connection: Connection) -> None:
    for statement in (
        """CREATE TABLE access_tokens (
               id VARCHAR(16) PRIMARY KEY,
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               name VARCHAR(60) NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
               digest VARCHAR(64) NOT NULL,
               created_at TIMESTAMP NOT NULL,
               expires_at TIMESTAMP,
               last_used_at TIMESTAMP,
               revoked_at TIMESTAMP)""",
        "CREATE INDEX access_tokens_by_user ON access_tokens (user_id, created_at)",
        # The clients' calls alone, newest first: among a hundred thousand others the list stays quick.
        """CREATE INDEX tool_calls_by_client ON tool_calls (user_id, sequence)
               WHERE decider >= 'mcp: ' AND decider < 'mcp:!'""",
    ):
        connection.exec_driver_sql(statement)
