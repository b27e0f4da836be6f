"""The schema's versions on SQLite up to the 21st: an ordered list of small functions, each run exactly once.

The SQL here is frozen history: it does not follow the models, and the list is closed. A change of the models is a
revision of Alembic now, for SQLite and PostgreSQL alike; see `db.schema.upgrading`. `tests/db/test_migrations.py`
starts from every earlier version.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, inspect, text

from db import sqlite, sqlite_words
from db.schema.clients import add_access_tokens
from db.schema.comparing import add_agreements, add_comparisons, add_expectations
from db.schema.domains import add_domains
from db.schema.evaluating import add_evaluations
from db.schema.machines import add_machine_turns, add_machines
from db.schema.policies import add_policy_versions
from db.schema.resuming import add_progress
from db.schema.reviewing import add_folded_texts, add_review_domains, add_verdicts
from db.schema.vocabulary import add_personal_vocabulary


def _users_and_tasks(connection: Connection) -> None:
    connection.exec_driver_sql(
        """CREATE TABLE users (
               id VARCHAR(36) PRIMARY KEY,
               serial INTEGER NOT NULL UNIQUE CHECK (serial > 0),
               handle VARCHAR(40) NOT NULL UNIQUE CHECK (length(handle) BETWEEN 1 AND 40),
               name VARCHAR(80) NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
               next_number INTEGER NOT NULL CHECK (next_number > 0),
               audit_count INTEGER NOT NULL,
               revision INTEGER NOT NULL,
               created_at TIMESTAMP NOT NULL)"""
    )
    connection.exec_driver_sql(
        """CREATE TABLE tasks (
               id VARCHAR(36) PRIMARY KEY,
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               number INTEGER NOT NULL CHECK (number > 0),
               search_id BIGINT NOT NULL UNIQUE,
               title VARCHAR(200) NOT NULL CHECK (length(trim(title)) >= 1 AND length(title) <= 200),
               title_key TEXT NOT NULL,
               title_words TEXT NOT NULL,
               description_words TEXT NOT NULL,
               description TEXT NOT NULL CHECK (length(description) <= 1000),
               priority VARCHAR(6) NOT NULL CHECK (priority IN ('low', 'medium', 'high')),
               status VARCHAR(9) NOT NULL CHECK (status IN ('pending', 'completed')),
               due_date DATE,
               due_time TIME,
               demo_key VARCHAR(40),
               created_at TIMESTAMP NOT NULL,
               updated_at TIMESTAMP NOT NULL,
               completed_at TIMESTAMP,
               UNIQUE (user_id, number),
               CHECK (due_time IS NULL OR due_date IS NOT NULL),
               CHECK ((status = 'completed') = (completed_at IS NOT NULL)))"""
    )
    for statement in (
        "CREATE INDEX tasks_by_title ON tasks (user_id, title_key)",
        "CREATE INDEX tasks_by_due ON tasks (user_id, status, due_date, due_time)",
        "CREATE INDEX tasks_by_change ON tasks (user_id, updated_at)",
    ):
        connection.exec_driver_sql(statement)


def _conversations(connection: Connection) -> None:
    for statement in (
        """CREATE TABLE conversations (
               id VARCHAR(36) PRIMARY KEY,
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               title VARCHAR(200) NOT NULL,
               created_at TIMESTAMP NOT NULL,
               updated_at TIMESTAMP NOT NULL)""",
        "CREATE INDEX conversations_by_user ON conversations (user_id, updated_at)",
        """CREATE TABLE messages (
               id VARCHAR(36) PRIMARY KEY,
               conversation_id VARCHAR(36) NOT NULL REFERENCES conversations(id),
               turn_id VARCHAR(36) NOT NULL,
               position INTEGER NOT NULL,
               role VARCHAR(9) NOT NULL CHECK (role IN ('user', 'assistant')),
               content TEXT NOT NULL,
               task_ids JSON NOT NULL,
               created_at TIMESTAMP NOT NULL,
               UNIQUE (conversation_id, position))""",
        """CREATE TABLE decisions (
               id VARCHAR(36) PRIMARY KEY,
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               conversation_id VARCHAR(36) NOT NULL,
               turn_id VARCHAR(36) NOT NULL,
               decider VARCHAR(80) NOT NULL,
               action VARCHAR(8) NOT NULL CHECK (action IN ('execute', 'confirm', 'clarify', 'reply')),
               intent VARCHAR(20) NOT NULL,
               reason VARCHAR(40) NOT NULL,
               confidence FLOAT CHECK (confidence BETWEEN 0 AND 1),
               elapsed_ms FLOAT,
               drives BOOLEAN NOT NULL,
               body JSON NOT NULL,
               created_at TIMESTAMP NOT NULL)""",
        "CREATE INDEX decisions_by_user ON decisions (user_id, created_at)",
        "CREATE INDEX decisions_by_turn ON decisions (turn_id)",
    ):
        connection.exec_driver_sql(statement)


def _audit_trail(connection: Connection) -> None:
    for statement in (
        """CREATE TABLE tool_calls (
               id VARCHAR(36) PRIMARY KEY,
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               sequence INTEGER NOT NULL,
               conversation_id VARCHAR(36),
               turn_id VARCHAR(36),
               batch_id VARCHAR(36),
               decider VARCHAR(80) NOT NULL,
               tool_name VARCHAR(80) NOT NULL,
               arguments JSON NOT NULL,
               result JSON NOT NULL,
               error_kind VARCHAR(40),
               task_id VARCHAR(36),
               before JSON,
               after JSON,
               undoes VARCHAR(36) REFERENCES tool_calls(id),
               created_at TIMESTAMP NOT NULL,
               UNIQUE (user_id, sequence))""",
        "CREATE INDEX tool_calls_by_task ON tool_calls (task_id)",
        "CREATE INDEX tool_calls_by_batch ON tool_calls (batch_id)",
    ):
        connection.exec_driver_sql(statement)
    sqlite.make_append_only(connection, "tool_calls")


def _word_search(connection: Connection) -> None:
    sqlite_words.create_search_index(connection)
    # Tasks written before this version: index them now. Their distinct words follow in `add_personal_vocabulary`.
    connection.exec_driver_sql("INSERT INTO task_words(task_words) VALUES ('rebuild')")


def _turns(connection: Connection) -> None:
    for statement in (
        # Never filled by any version: a turn holds both messages.
        "DROP TABLE messages",
        """CREATE TABLE turns (
               id VARCHAR(36) PRIMARY KEY,
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               conversation_id VARCHAR(36) NOT NULL REFERENCES conversations(id),
               position INTEGER NOT NULL,
               text TEXT NOT NULL,
               driver VARCHAR(20) NOT NULL,
               lane VARCHAR(20),
               route VARCHAR(40),
               reply TEXT,
               task_ids JSON NOT NULL,
               results JSON NOT NULL,
               context JSON NOT NULL,
               llm_status VARCHAR(10) NOT NULL
                   CHECK (llm_status IN ('off', 'waiting', 'answered', 'failed', 'cancelled')),
               llm_summary JSON NOT NULL,
               created_at TIMESTAMP NOT NULL,
               UNIQUE (conversation_id, position),
               CHECK ((lane IS NULL) = (reply IS NULL) AND (lane IS NULL) = (route IS NULL)))""",
        "CREATE INDEX turns_by_user ON turns (user_id, created_at)",
        "ALTER TABLE conversations ADD COLUMN named BOOLEAN NOT NULL DEFAULT 0",
        "ALTER TABLE conversations ADD COLUMN pending JSON",
        "ALTER TABLE conversations ADD COLUMN revision INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE users ADD COLUMN stage BOOLEAN NOT NULL DEFAULT 0",
    ):
        connection.exec_driver_sql(statement)


def _saved_cases(connection: Connection) -> None:
    for statement in (
        """CREATE TABLE cases (
               id VARCHAR(36) PRIMARY KEY,
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               digest VARCHAR(64) NOT NULL,
               text TEXT NOT NULL,
               context JSON NOT NULL,
               expected JSON NOT NULL,
               created_at TIMESTAMP NOT NULL,
               UNIQUE (user_id, digest))""",
        "CREATE INDEX cases_by_user ON cases (user_id, created_at)",
    ):
        connection.exec_driver_sql(statement)


def _items(connection: Connection) -> None:
    """Things of domains that have no table of their own."""
    for statement in (
        # Without a foreign key, as for tasks: the trail outlives the thing.
        "ALTER TABLE tool_calls ADD COLUMN item_id VARCHAR(36)",
        """CREATE TABLE items (
               id VARCHAR(36) PRIMARY KEY,
               user_id VARCHAR(36) NOT NULL REFERENCES users(id),
               domain VARCHAR(40) NOT NULL,
               number INTEGER NOT NULL CHECK (number > 0),
               title VARCHAR(200) NOT NULL CHECK (length(trim(title)) >= 1 AND length(title) <= 200),
               title_key TEXT NOT NULL,
               words TEXT NOT NULL,
               status VARCHAR(40) NOT NULL,
               fields JSON NOT NULL,
               created_at TIMESTAMP NOT NULL,
               updated_at TIMESTAMP NOT NULL,
               UNIQUE (user_id, domain, number))""",
        "CREATE INDEX items_by_title ON items (user_id, domain, title_key)",
    ):
        connection.exec_driver_sql(statement)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (
    _users_and_tasks,
    _conversations,
    _audit_trail,
    _word_search,
    _turns,
    _saved_cases,
    add_agreements,
    add_comparisons,
    add_machines,
    add_machine_turns,
    add_access_tokens,
    add_verdicts,
    add_folded_texts,
    _items,
    add_domains,
    add_review_domains,
    add_personal_vocabulary,
    add_progress,
    add_evaluations,
    add_policy_versions,
    add_expectations,
)
SCHEMA_VERSION = len(MIGRATIONS)


def read_version(connection: Connection) -> int:
    """0 for an empty database."""
    if not inspect(connection).has_table("schema_version"):
        return 0
    return int(connection.execute(text("SELECT max(version) FROM schema_version")).scalar() or 0)


def migrate(connection: Connection, *, target: int = SCHEMA_VERSION) -> int:
    """Bring the database to the target version inside the caller's transaction; return the version found."""
    found = read_version(connection)
    if found == 0:
        connection.exec_driver_sql(
            """CREATE TABLE IF NOT EXISTS schema_version (
                   version INTEGER PRIMARY KEY, name VARCHAR(80) NOT NULL, applied_at TIMESTAMP NOT NULL)"""
        )
    for version in range(found + 1, target + 1):
        apply = MIGRATIONS[version - 1]
        apply(connection)
        connection.execute(
            text("INSERT INTO schema_version (version, name, applied_at) VALUES (:version, :name, CURRENT_TIMESTAMP)"),
            {"version": version, "name": apply.__name__.strip("_")},
        )
    return found
