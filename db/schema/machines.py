"""The schema's versions for machines, in the order in which `db.schema.migrations` runs them. Frozen history."""

from __future__ import annotations

from sqlalchemy import Connection


def add_machines(connection: Connection) -> None:
    """Machines, what they can be told, what they measure, and what they measured."""
    for statement in (
        "ALTER TABLE users ADD COLUMN fleet_revision INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE users ADD COLUMN machines_revision INTEGER NOT NULL DEFAULT 0",
        # Without a foreign key, as for tasks: the trail outlives the machine.
        "ALTER TABLE tool_calls ADD COLUMN machine_id VARCHAR(36)",
        "CREATE INDEX tool_calls_by_machine ON tool_calls (machine_id)",
        """CREATE TABLE machines (
               id VARCHAR(36) PRIMARY KEY,
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               name VARCHAR(120) NOT NULL CHECK (length(trim(name)) >= 1 AND length(name) <= 120),
               name_key TEXT NOT NULL,
               serial VARCHAR(120) NOT NULL CHECK (length(trim(serial)) >= 1 AND length(serial) <= 120),
               serial_key TEXT NOT NULL,
               place VARCHAR(120) NOT NULL,
               place_key TEXT NOT NULL,
               description TEXT NOT NULL CHECK (length(description) <= 1000),
               firmware VARCHAR(40) NOT NULL,
               connected BOOLEAN NOT NULL,
               state JSON NOT NULL,
               demo_key VARCHAR(40),
               created_at TIMESTAMP NOT NULL,
               UNIQUE (user_id, serial_key))""",
        "CREATE INDEX machines_by_name ON machines (user_id, name_key)",
        """CREATE TABLE machine_commands (
               id VARCHAR(36) PRIMARY KEY,
               machine_id VARCHAR(36) NOT NULL REFERENCES machines(id) ON DELETE CASCADE,
               position INTEGER NOT NULL,
               name VARCHAR(120) NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
               description TEXT NOT NULL,
               effect JSON NOT NULL,
               unit VARCHAR(20),
               minimum FLOAT,
               maximum FLOAT,
               UNIQUE (machine_id, name),
               CHECK ((unit IS NULL) = (minimum IS NULL) AND (unit IS NULL) = (maximum IS NULL)),
               CHECK (minimum IS NULL OR minimum <= maximum))""",
        """CREATE TABLE machine_metrics (
               machine_id VARCHAR(36) NOT NULL REFERENCES machines(id) ON DELETE CASCADE,
               name VARCHAR(120) NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
               position INTEGER NOT NULL,
               unit VARCHAR(20) NOT NULL,
               level FLOAT NOT NULL,
               level_at INTEGER NOT NULL,
               PRIMARY KEY (machine_id, name))""",
        # Times are seconds since 1970: a range of them is one walk along the primary key.
        """CREATE TABLE metric_readings (
               machine_id VARCHAR(36) NOT NULL,
               metric VARCHAR(120) NOT NULL,
               at INTEGER NOT NULL,
               value FLOAT NOT NULL,
               PRIMARY KEY (machine_id, metric, at),
               FOREIGN KEY (machine_id, metric) REFERENCES machine_metrics(machine_id, name) ON DELETE CASCADE)""",
    ):
        connection.exec_driver_sql(statement)


def add_machine_turns(connection: Connection) -> None:
    """The chat of the Machines page, and what it learned from the choices made there."""
    for statement in (
        """CREATE TABLE composer_choices (
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               choice_key VARCHAR(200) NOT NULL CHECK (length(choice_key) BETWEEN 1 AND 200),
               machine_id VARCHAR(36) NOT NULL,
               times INTEGER NOT NULL CHECK (times > 0),
               updated_at TIMESTAMP NOT NULL,
               PRIMARY KEY (user_id, choice_key))""",
        """CREATE TABLE machine_turns (
               id VARCHAR(36) PRIMARY KEY,
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               position INTEGER NOT NULL,
               text TEXT NOT NULL,
               composition JSON NOT NULL,
               results JSON NOT NULL,
               reply TEXT NOT NULL,
               next_actions JSON NOT NULL,
               created_at TIMESTAMP NOT NULL,
               UNIQUE (user_id, position))""",
    ):
        connection.exec_driver_sql(statement)
