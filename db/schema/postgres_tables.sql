-- The store at schema version 21 on PostgreSQL, where Twolane begins with it. Frozen history, like `db/schema/migrations.py`
-- for SQLite: a later change is a revision under `db/schema/revisions`.
--
-- TEXT here stands for text that is compared byte by byte (`db.schema.baseline` adds the collation): what sorts first and
-- what lies between 'mcp: ' and 'mcp:!' must not depend on the language that the server was set up in. Widths are left
-- to the checks, which count letters as Python does. Integers are all wide: SQLite's are.

CREATE TABLE users (
    id TEXT PRIMARY KEY,
    serial BIGINT NOT NULL UNIQUE CHECK (serial > 0),
    handle TEXT NOT NULL UNIQUE CHECK (length(handle) BETWEEN 1 AND 40),
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    next_number BIGINT NOT NULL CHECK (next_number > 0),
    audit_count BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    fleet_revision BIGINT NOT NULL DEFAULT 0,
    machines_revision BIGINT NOT NULL DEFAULT 0,
    stage BOOLEAN NOT NULL DEFAULT FALSE,
    created_at TIMESTAMPTZ NOT NULL);

CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id),
    number BIGINT NOT NULL CHECK (number > 0),
    search_id BIGINT NOT NULL UNIQUE,
    title TEXT NOT NULL CHECK (length(trim(title)) >= 1 AND length(title) <= 200),
    title_key TEXT NOT NULL,
    title_words TEXT NOT NULL,
    description_words TEXT NOT NULL,
    description TEXT NOT NULL CHECK (length(description) <= 1000),
    priority TEXT NOT NULL CHECK (priority IN ('low', 'medium', 'high')),
    status TEXT NOT NULL CHECK (status IN ('pending', 'completed')),
    due_date DATE,
    due_time TIME,
    demo_key TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    completed_at TIMESTAMPTZ,
    UNIQUE (user_id, number),
    CHECK (due_time IS NULL OR due_date IS NOT NULL),
    CHECK ((status = 'completed') = (completed_at IS NOT NULL)));
-- By a hash: a folded title may be longer than a key of an index can be.
CREATE INDEX tasks_by_title ON tasks (user_id, md5(title_key));
CREATE INDEX tasks_by_due ON tasks (user_id, status, due_date, due_time);
CREATE INDEX tasks_by_change ON tasks (user_id, updated_at, number);

CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id),
    domain TEXT NOT NULL DEFAULT 'tasks',
    title TEXT NOT NULL,
    named BOOLEAN NOT NULL DEFAULT FALSE,
    pending JSON,
    revision BIGINT NOT NULL DEFAULT 0,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL);
CREATE INDEX conversations_by_user ON conversations (user_id, updated_at);

CREATE TABLE turns (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id),
    conversation_id TEXT NOT NULL REFERENCES conversations(id),
    domain TEXT NOT NULL DEFAULT 'tasks',
    position BIGINT NOT NULL,
    text TEXT NOT NULL,
    text_key TEXT NOT NULL DEFAULT '',
    driver TEXT NOT NULL,
    lane TEXT,
    route TEXT,
    reply TEXT,
    task_ids JSON NOT NULL,
    results JSON NOT NULL,
    offers JSON NOT NULL DEFAULT '[]',
    context JSON NOT NULL,
    llm_status TEXT NOT NULL CHECK (llm_status IN ('off', 'waiting', 'answered', 'failed', 'cancelled')),
    llm_summary JSON NOT NULL,
    progress JSON,
    agreement TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    UNIQUE (conversation_id, position),
    CHECK ((lane IS NULL) = (reply IS NULL) AND (lane IS NULL) = (route IS NULL)));
CREATE INDEX turns_by_agreement ON turns (user_id, agreement, created_at, llm_status);
CREATE INDEX turns_by_time ON turns (user_id, created_at, position, id, agreement, llm_status);
CREATE INDEX turns_by_standing ON turns (user_id, agreement, llm_status);
CREATE INDEX turns_by_domain ON turns (user_id, domain, created_at);

CREATE TABLE decisions (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id),
    conversation_id TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    decider TEXT NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('execute', 'confirm', 'clarify', 'reply')),
    intent TEXT NOT NULL,
    reason TEXT NOT NULL,
    confidence DOUBLE PRECISION CHECK (confidence BETWEEN 0 AND 1),
    elapsed_ms DOUBLE PRECISION,
    drives BOOLEAN NOT NULL,
    body JSON NOT NULL,
    created_at TIMESTAMPTZ NOT NULL);
CREATE INDEX decisions_by_user ON decisions (user_id, created_at);
CREATE INDEX decisions_by_conversation ON decisions (conversation_id);
CREATE INDEX decisions_by_turn ON decisions (turn_id, decider, reason, confidence, elapsed_ms);
CREATE INDEX decisions_by_reading ON decisions (user_id, intent, action, reason, decider, turn_id);

CREATE TABLE tool_calls (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id),
    sequence BIGINT NOT NULL,
    conversation_id TEXT,
    turn_id TEXT,
    batch_id TEXT,
    decider TEXT NOT NULL,
    tool_name TEXT NOT NULL,
    arguments JSON NOT NULL,
    result JSON NOT NULL,
    error_kind TEXT,
    task_id TEXT,
    machine_id TEXT,
    item_id TEXT,
    before JSON,
    after JSON,
    undoes TEXT REFERENCES tool_calls(id),
    call_key TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    UNIQUE (user_id, sequence));
CREATE INDEX tool_calls_by_task ON tool_calls (task_id);
CREATE INDEX tool_calls_by_batch ON tool_calls (batch_id);
CREATE INDEX tool_calls_by_machine ON tool_calls (machine_id);
CREATE INDEX tool_calls_by_undone ON tool_calls (undoes);
CREATE INDEX tool_calls_by_client ON tool_calls (user_id, sequence) WHERE decider >= 'mcp: ' AND decider < 'mcp:!';
CREATE UNIQUE INDEX tool_calls_by_key ON tool_calls (call_key) WHERE call_key IS NOT NULL;

CREATE TABLE items (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id),
    domain TEXT NOT NULL,
    number BIGINT NOT NULL CHECK (number > 0),
    title TEXT NOT NULL CHECK (length(trim(title)) >= 1 AND length(title) <= 200),
    title_key TEXT NOT NULL,
    words TEXT NOT NULL,
    status TEXT NOT NULL,
    fields JSON NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    UNIQUE (user_id, domain, number));

CREATE TABLE access_tokens (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id),
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
    digest TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ,
    last_used_at TIMESTAMPTZ,
    revoked_at TIMESTAMPTZ);
CREATE INDEX access_tokens_by_user ON access_tokens (user_id, created_at);

CREATE TABLE machines (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id),
    name TEXT NOT NULL CHECK (length(trim(name)) >= 1 AND length(name) <= 120),
    name_key TEXT NOT NULL,
    serial TEXT NOT NULL CHECK (length(trim(serial)) >= 1 AND length(serial) <= 120),
    serial_key TEXT NOT NULL,
    place TEXT NOT NULL,
    place_key TEXT NOT NULL,
    description TEXT NOT NULL CHECK (length(description) <= 1000),
    firmware TEXT NOT NULL,
    connected BOOLEAN NOT NULL,
    state JSON NOT NULL,
    demo_key TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    UNIQUE (user_id, serial_key));
CREATE INDEX machines_by_name ON machines (user_id, name_key);

CREATE TABLE machine_commands (
    id TEXT PRIMARY KEY,
    machine_id TEXT NOT NULL REFERENCES machines(id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
    description TEXT NOT NULL,
    effect JSON NOT NULL,
    unit TEXT,
    minimum DOUBLE PRECISION,
    maximum DOUBLE PRECISION,
    UNIQUE (machine_id, name),
    CHECK ((unit IS NULL) = (minimum IS NULL) AND (unit IS NULL) = (maximum IS NULL)),
    CHECK (minimum IS NULL OR minimum <= maximum));

CREATE TABLE machine_metrics (
    machine_id TEXT NOT NULL REFERENCES machines(id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
    position BIGINT NOT NULL,
    unit TEXT NOT NULL,
    level DOUBLE PRECISION NOT NULL,
    level_at BIGINT NOT NULL,
    PRIMARY KEY (machine_id, name));

CREATE TABLE metric_readings (
    machine_id TEXT NOT NULL,
    metric TEXT NOT NULL,
    at BIGINT NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (machine_id, metric, at),
    FOREIGN KEY (machine_id, metric) REFERENCES machine_metrics(machine_id, name) ON DELETE CASCADE);

CREATE TABLE composer_choices (
    user_id TEXT NOT NULL REFERENCES users(id),
    choice_key TEXT NOT NULL CHECK (length(choice_key) BETWEEN 1 AND 200),
    machine_id TEXT NOT NULL,
    times BIGINT NOT NULL CHECK (times > 0),
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, choice_key));
