"""The schema's version in which people log in. Frozen history."""

from __future__ import annotations

from sqlalchemy import Connection


def add_logins(connection: Connection) -> None:
    for statement in (
        "ALTER TABLE users ADD COLUMN role VARCHAR(10)",
        """CREATE TABLE identities (
               issuer VARCHAR(300) NOT NULL,
               subject VARCHAR(300) NOT NULL,
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               created_at TIMESTAMP NOT NULL,
               PRIMARY KEY (issuer, subject))""",
        """CREATE TABLE logins (
               id VARCHAR(64) PRIMARY KEY,
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               began_at TIMESTAMP NOT NULL,
               expires_at TIMESTAMP NOT NULL,
               ended_at TIMESTAMP)""",
        "CREATE INDEX logins_by_end ON logins (expires_at)",
    ):
        connection.exec_driver_sql(statement)
