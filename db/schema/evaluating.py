"""The schema's version for evaluations, as `db.schema.migrations` runs it. Frozen history."""

from __future__ import annotations

from sqlalchemy import Connection

_STATEMENTS = (
    # Cases are kept once, however many runs there are over their set: a run goes on with them after a restart.
    """CREATE TABLE evaluation_sets (
           id VARCHAR(36) PRIMARY KEY,
           user_id VARCHAR(36) NOT NULL REFERENCES users(id),
           domain VARCHAR(40) NOT NULL,
           fingerprint VARCHAR(64) NOT NULL,
           layout VARCHAR(64) NOT NULL,
           name VARCHAR(80) NOT NULL,
           size INTEGER NOT NULL,
           created_at TIMESTAMP NOT NULL,
           UNIQUE (user_id, domain, layout))""",
    """CREATE TABLE evaluation_cases (
           set_id VARCHAR(36) NOT NULL REFERENCES evaluation_sets(id),
           position INTEGER NOT NULL,
           case_key VARCHAR(40) NOT NULL,
           case_id VARCHAR(200) NOT NULL,
           text TEXT NOT NULL,
           text_key TEXT NOT NULL,
           label VARCHAR(40) NOT NULL,
           severity VARCHAR(8) NOT NULL CHECK (severity IN ('minor', 'normal', 'critical')),
           body JSON NOT NULL,
           PRIMARY KEY (set_id, position))""",
    """CREATE TABLE evaluation_slices (
           set_id VARCHAR(36) NOT NULL REFERENCES evaluation_sets(id),
           name VARCHAR(40) NOT NULL,
           value VARCHAR(80) NOT NULL,
           position INTEGER NOT NULL,
           PRIMARY KEY (set_id, name, value, position))""",
    """CREATE TABLE evaluation_runs (
           id VARCHAR(36) PRIMARY KEY,
           user_id VARCHAR(36) NOT NULL REFERENCES users(id),
           set_id VARCHAR(36) NOT NULL REFERENCES evaluation_sets(id),
           domain VARCHAR(40) NOT NULL,
           name VARCHAR(80) NOT NULL,
           status VARCHAR(9) NOT NULL CHECK (status IN ('running', 'done', 'cancelled', 'failed')),
           deciders JSON NOT NULL,
           total INTEGER NOT NULL,
           done INTEGER NOT NULL,
           problems JSON NOT NULL,
           is_baseline BOOLEAN NOT NULL,
           part_of VARCHAR(36),
           owner VARCHAR(80),
           seen_at TIMESTAMP,
           created_at TIMESTAMP NOT NULL,
           finished_at TIMESTAMP)""",
    "CREATE INDEX evaluation_runs_by_user ON evaluation_runs (user_id, created_at)",
    """CREATE TABLE evaluation_results (
           run_id VARCHAR(36) NOT NULL REFERENCES evaluation_runs(id),
           decider INTEGER NOT NULL,
           position INTEGER NOT NULL,
           case_key VARCHAR(40) NOT NULL,
           verdict VARCHAR(20) NOT NULL,
           passed BOOLEAN NOT NULL,
           label VARCHAR(40) NOT NULL,
           final VARCHAR(40) NOT NULL,
           behind VARCHAR(40) NOT NULL,
           reading_right BOOLEAN NOT NULL,
           action VARCHAR(8),
           outcome VARCHAR(10) NOT NULL,
           confidence FLOAT,
           milliseconds FLOAT NOT NULL,
           prompt_tokens INTEGER,
           answer_tokens INTEGER,
           cost FLOAT,
           signature VARCHAR(32) NOT NULL,
           arguments JSON NOT NULL,
           weighing JSON,
           detail JSON NOT NULL,
           PRIMARY KEY (run_id, decider, position))""",
    "CREATE INDEX evaluation_results_by_key ON evaluation_results (run_id, decider, case_key, passed, signature)",
    "CREATE INDEX evaluation_results_by_verdict ON evaluation_results (run_id, decider, verdict)",
    """CREATE TABLE settled_labels (
           user_id VARCHAR(36) NOT NULL REFERENCES users(id),
           case_key VARCHAR(40) NOT NULL,
           verdict VARCHAR(6) NOT NULL CHECK (verdict IN ('right', 'wrong', 'unsure')),
           text TEXT NOT NULL,
           note TEXT NOT NULL,
           created_at TIMESTAMP NOT NULL,
           PRIMARY KEY (user_id, case_key))""",
)


def add_evaluations(connection: Connection) -> None:
    for statement in _STATEMENTS:
        connection.exec_driver_sql(statement)
