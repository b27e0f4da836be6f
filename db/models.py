"""The tables. Limits stand in the database too (see `db.schema.migrations`), not only in Python.

Ids are UUIDs as text and times are kept in UTC, so that every value reads the same in SQLite and
PostgreSQL.
"""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Any

from sqlalchemy import JSON, Column
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel


class Base(SQLModel, registry=registry()):
    # A registry of our own: Streamlit's hot reload imports this module again, and with the shared
    # default registry the second import fails with "Table is already defined".
    pass


class UserRow(Base, table=True):
    __tablename__ = "users"

    id: str = Field(primary_key=True)
    serial: int
    """Small and never reused; the search index keeps a user's tasks together by it."""
    handle: str
    """Short name in addresses and settings, unique."""
    name: str
    next_number: int = 1
    """The number that the next new task gets. Numbers are never given twice."""
    audit_count: int = 0
    """Rows of this user in the audit trail: the sequence number of the latest."""
    revision: int = 0
    """Counts changes of tasks, so that an open page can ask cheaply whether anything is new."""
    fleet_revision: int = 0
    """Counts changes of what the machines are (name, place, commands, connection), not of their states."""
    machines_revision: int = 0
    """Counts all that the Machines page shows: also states, turns and learned choices."""
    stage: bool = False
    """A person made for a demonstration; not offered in the user switch."""
    role: str | None = None
    """viewer, member or maintainer, as of the last login; None: this person never logged in."""
    created_at: datetime


class TaskRow(Base, table=True):
    __tablename__ = "tasks"

    id: str = Field(primary_key=True)
    user_id: str = Field(foreign_key="users.id")
    number: int
    search_id: int
    """The user's serial and the task's number in one integer; see `db.search_ids`."""
    title: str
    title_key: str
    """The title as it is compared: case, accents and spacing folded."""
    title_words: str
    """The words of the title as they are indexed."""
    description_words: str
    description: str = ""
    priority: str = "medium"
    status: str = "pending"
    due_date: date | None = None
    due_time: time | None = None
    demo_key: str | None = None
    """Set on tasks that seeding made, so that seeding again replaces these and no others."""
    created_at: datetime
    updated_at: datetime
    completed_at: datetime | None = None


class ConversationRow(Base, table=True):
    __tablename__ = "conversations"

    id: str = Field(primary_key=True)
    user_id: str = Field(foreign_key="users.id")
    domain: str = "tasks"
    """What it is about: the domain that all its turns are of."""
    title: str
    named: bool = False
    """Whether a person gave the title; otherwise it follows the first message."""
    pending: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    """The question that waits for an answer."""
    revision: int = 0
    """Counts what changes in it, so that an open page can ask cheaply whether anything is new."""
    created_at: datetime
    updated_at: datetime


class TurnRow(Base, table=True):
    """A message, what it was said in answer to, and what came of it."""

    __tablename__ = "turns"

    id: str = Field(primary_key=True)
    user_id: str = Field(foreign_key="users.id")
    conversation_id: str = Field(foreign_key="conversations.id")
    domain: str = "tasks"
    position: int
    text: str
    text_key: str = ""
    """The text as it is searched: case, accents and spacing folded."""
    driver: str
    lane: str | None = None
    """Who acted; None while the turn waits for the LLM."""
    route: str | None = None
    reply: str | None = None
    task_ids: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """The tasks that the reply names, in the order named: "the second one" counts in it."""
    results: list[dict[str, Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    offers: list[dict[str, Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """What the turn offered to do next, in the form of `engine.border.wire`."""
    context: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """What the deciders saw, as a line of the batch interface: the turn can be decided again."""
    llm_status: str
    llm_summary: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """Model, tokens, times and cost of the LLM's part."""
    progress: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    """How far the LLM has come, where it has done something and more may follow; stays where the turn was cut off."""
    agreement: str | None = None
    """How the two lanes stand to each other (`engine.explaining.agreement`), or `broken`; None: nothing to compare."""
    worker: str | None = None
    """The process that asks the LLM for it (`db.processes`)."""
    stripped_at: datetime | None = None
    """When its words were taken out, after the time that turns are kept."""
    created_at: datetime


class DecisionRow(Base, table=True):
    __tablename__ = "decisions"

    id: str = Field(primary_key=True)
    user_id: str = Field(foreign_key="users.id")
    conversation_id: str
    turn_id: str
    decider: str
    action: str
    intent: str
    reason: str
    confidence: float | None = None
    elapsed_ms: float | None = None
    drives: bool
    """Whether this was the decision that was carried out."""
    body: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """The whole decision with its evidence."""
    created_at: datetime


class CaseRow(Base, table=True):
    """A message that somebody labelled: what it should have been, in the context in which it was said."""

    __tablename__ = "cases"

    id: str = Field(primary_key=True)
    user_id: str = Field(foreign_key="users.id")
    digest: str
    """Of text, context and expectation: the same case is kept once."""
    domain: str = "tasks"
    text: str
    context: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """In the form of `engine.border.wire`."""
    expected: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """As in a case file; `task` is the id of a task of the context."""
    from_review: bool = False
    """There only because a verdict says so; one that somebody saved by hand stays when the verdict is taken back."""
    created_at: datetime


class ComparisonRow(Base, table=True):
    """A run of the Compare page: the same lines through several deciders."""

    __tablename__ = "comparisons"

    id: str = Field(primary_key=True)
    user_id: str = Field(foreign_key="users.id")
    domain: str = "tasks"
    name: str
    status: str
    deciders: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """Their names in the order of the columns; the others are held against the first."""
    total: int
    done: int = 0
    summary: list[dict[str, Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """One entry a decider: agreement, times, tokens, cost."""
    problems: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """Lines that could not be read."""
    worker: str | None = None
    """The process that works on it (`db.processes`)."""
    wants_end: bool = False
    """Whether somebody has cancelled it, maybe in another process."""
    recipe: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    """While it runs: all that another process needs to go on with it. None: it needs a key, or a draft."""
    created_at: datetime


class ComparedLineRow(Base, table=True):
    __tablename__ = "comparison_lines"

    comparison_id: str = Field(primary_key=True, foreign_key="comparisons.id")
    line: int = Field(primary_key=True)
    text: str
    context: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    """The line's own tasks and history, in the form of `engine.border.wire`; None: the person's tasks of the moment."""
    intent: str
    """As the first decider read it."""
    differs: bool
    silent: bool
    broken: bool
    answers: list[dict[str, Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """In the order of the deciders."""
    expected: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    """What it should come to, as a case says it."""
    wrong: bool | None = Field(default=None)
    """Whether a decider missed it."""


class AuditRow(Base, table=True):
    """One tool call. Rows are only ever added: triggers refuse to change or delete them.

    Conversation and turn are plain ids without a foreign key: the trail outlives a cleared conversation.
    """

    __tablename__ = "tool_calls"

    id: str = Field(primary_key=True)
    user_id: str = Field(foreign_key="users.id")
    sequence: int
    """Counts up per user."""
    conversation_id: str | None = None
    turn_id: str | None = None
    batch_id: str | None = None
    """Calls made in one go (an import, several selected rows) share it and are undone together."""
    decider: str
    """Who asked: a lane, a person at the table, an import, seeding, or an MCP client."""
    tool_name: str
    arguments: list[dict[str, Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    """Name, value and provenance of each argument."""
    result: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    error_kind: str | None = None
    task_id: str | None = None
    """What was changed, if it was a task."""
    machine_id: str | None = None
    """What was changed, if it was a machine."""
    item_id: str | None = None
    """What was changed, if it was a thing of a domain without tables of its own."""
    before: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    after: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    undoes: str | None = None
    """The row that this one takes back."""
    call_key: str | None = None
    """Of a change by a turn: the turn, its round and the place of the call, which no other row has."""
    created_at: datetime


class AccessTokenRow(Base, table=True):
    """A key to one person's tools over HTTP. The key's own text is nowhere: only what it hashes to."""

    __tablename__ = "access_tokens"

    id: str = Field(primary_key=True)
    """Also the first part of the token, by which it is looked up."""
    user_id: str = Field(foreign_key="users.id")
    name: str
    digest: str
    """SHA-256 of the secret part. The secret is 256 random bits, so a slow hash would protect nothing more."""
    created_at: datetime
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None
