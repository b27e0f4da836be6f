-- The store at schema version 21 on PostgreSQL: what reviewing, comparing, evaluating and policies keep. See
-- `postgres_tables.sql`.

CREATE TABLE cases (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id),
    digest TEXT NOT NULL,
    domain TEXT NOT NULL DEFAULT 'tasks',
    text TEXT NOT NULL,
    context JSON NOT NULL,
    expected JSON NOT NULL,
    from_review BOOLEAN NOT NULL DEFAULT FALSE,
    created_at TIMESTAMPTZ NOT NULL,
    UNIQUE (user_id, digest));
CREATE INDEX cases_by_user ON cases (user_id, created_at);

CREATE TABLE verdicts (
    turn_id TEXT NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
    lane TEXT NOT NULL CHECK (lane IN ('engine', 'llm')),
    user_id TEXT NOT NULL REFERENCES users(id),
    domain TEXT NOT NULL DEFAULT 'tasks',
    verdict TEXT NOT NULL CHECK (verdict IN ('right', 'wrong', 'unsure')),
    case_id TEXT REFERENCES cases(id) ON DELETE SET NULL,
    created_at TIMESTAMPTZ NOT NULL,
    changed_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (turn_id, lane));
CREATE INDEX verdicts_by_user ON verdicts (user_id, lane, verdict, turn_id);
CREATE INDEX verdicts_by_case ON verdicts (case_id);

CREATE TABLE verdict_changes (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id),
    sequence BIGINT NOT NULL,
    domain TEXT NOT NULL DEFAULT 'tasks',
    turn_id TEXT NOT NULL,
    lane TEXT NOT NULL,
    before TEXT,
    after TEXT,
    undoes TEXT REFERENCES verdict_changes(id),
    created_at TIMESTAMPTZ NOT NULL,
    UNIQUE (user_id, sequence));
CREATE INDEX verdict_changes_by_undone ON verdict_changes (undoes);

CREATE TABLE comparisons (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id),
    domain TEXT NOT NULL DEFAULT 'tasks',
    name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'done', 'cancelled', 'failed')),
    deciders JSON NOT NULL,
    total BIGINT NOT NULL,
    done BIGINT NOT NULL,
    summary JSON NOT NULL,
    problems JSON NOT NULL,
    created_at TIMESTAMPTZ NOT NULL);
CREATE INDEX comparisons_by_user ON comparisons (user_id, created_at);

CREATE TABLE comparison_lines (
    comparison_id TEXT NOT NULL REFERENCES comparisons(id),
    line BIGINT NOT NULL,
    text TEXT NOT NULL,
    context JSON,
    intent TEXT NOT NULL,
    differs BOOLEAN NOT NULL,
    silent BOOLEAN NOT NULL,
    broken BOOLEAN NOT NULL,
    answers JSON NOT NULL,
    expected JSON,
    wrong BOOLEAN,
    PRIMARY KEY (comparison_id, line));

CREATE TABLE evaluation_sets (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id),
    domain TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    layout TEXT NOT NULL,
    name TEXT NOT NULL,
    size BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    UNIQUE (user_id, domain, layout));

CREATE TABLE evaluation_cases (
    set_id TEXT NOT NULL REFERENCES evaluation_sets(id),
    position BIGINT NOT NULL,
    case_key TEXT NOT NULL,
    case_id TEXT NOT NULL,
    text TEXT NOT NULL,
    text_key TEXT NOT NULL,
    label TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('minor', 'normal', 'critical')),
    body JSON NOT NULL,
    PRIMARY KEY (set_id, position));

CREATE TABLE evaluation_slices (
    set_id TEXT NOT NULL REFERENCES evaluation_sets(id),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    position BIGINT NOT NULL,
    PRIMARY KEY (set_id, name, value, position));

CREATE TABLE evaluation_runs (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id),
    set_id TEXT NOT NULL REFERENCES evaluation_sets(id),
    domain TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'done', 'cancelled', 'failed')),
    deciders JSON NOT NULL,
    total BIGINT NOT NULL,
    done BIGINT NOT NULL,
    problems JSON NOT NULL,
    is_baseline BOOLEAN NOT NULL,
    part_of TEXT,
    owner TEXT,
    seen_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    finished_at TIMESTAMPTZ);
CREATE INDEX evaluation_runs_by_user ON evaluation_runs (user_id, created_at);

CREATE TABLE evaluation_results (
    run_id TEXT NOT NULL REFERENCES evaluation_runs(id),
    decider BIGINT NOT NULL,
    position BIGINT NOT NULL,
    case_key TEXT NOT NULL,
    verdict TEXT NOT NULL,
    passed BOOLEAN NOT NULL,
    label TEXT NOT NULL,
    final TEXT NOT NULL,
    behind TEXT NOT NULL,
    reading_right BOOLEAN NOT NULL,
    action TEXT,
    outcome TEXT NOT NULL,
    confidence DOUBLE PRECISION,
    milliseconds DOUBLE PRECISION NOT NULL,
    prompt_tokens BIGINT,
    answer_tokens BIGINT,
    cost DOUBLE PRECISION,
    signature TEXT NOT NULL,
    arguments JSON NOT NULL,
    weighing JSON,
    detail JSON NOT NULL,
    PRIMARY KEY (run_id, decider, position));
CREATE INDEX evaluation_results_by_key ON evaluation_results (run_id, decider, case_key, passed, signature);
CREATE INDEX evaluation_results_by_verdict ON evaluation_results (run_id, decider, verdict);

CREATE TABLE settled_labels (
    user_id TEXT NOT NULL REFERENCES users(id),
    case_key TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('right', 'wrong', 'unsure')),
    text TEXT NOT NULL,
    note TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, case_key));

CREATE TABLE policy_files (
    sha256 TEXT PRIMARY KEY,
    content BYTEA NOT NULL);

CREATE TABLE policy_versions (
    id TEXT PRIMARY KEY,
    domain TEXT NOT NULL,
    language TEXT NOT NULL,
    sequence BIGINT NOT NULL CHECK (sequence > 0),
    digest TEXT NOT NULL,
    parent TEXT NOT NULL,
    author TEXT NOT NULL,
    note TEXT NOT NULL,
    reason TEXT NOT NULL,
    files JSON NOT NULL,
    edits JSON NOT NULL,
    diff TEXT NOT NULL,
    evidence JSON NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    UNIQUE (domain, language, sequence));
CREATE INDEX policy_versions_by_digest ON policy_versions (digest);

CREATE TABLE policy_activations (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    domain TEXT NOT NULL,
    language TEXT NOT NULL,
    scope TEXT NOT NULL,
    version_id TEXT REFERENCES policy_versions(id),
    author TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL);
CREATE INDEX policy_activations_by_scope ON policy_activations (domain, language, scope, id);
