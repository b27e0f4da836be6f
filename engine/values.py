"""The values that travel between the rooms: frozen, comparable, free of storage and frameworks.

This module is imported by everything, so it stays light: standard library only.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

Priority = Literal["low", "medium", "high"]
Status = Literal["pending", "completed"]

PRIORITIES: tuple[Priority, ...] = ("low", "medium", "high")
OPEN_SIDE = ".."
"""Stands for the first or the last day of a stretch that has none, as ISO 8601 writes it."""
DAY_LENGTH = len("2026-01-31")
"""Of a day as ISO 8601 writes it; a time stands after it."""
DAY_JOINT = "/"
"""Between the first and the last day of a stretch, as ISO 8601 writes it."""
STATUSES: tuple[Status, ...] = ("pending", "completed")

TITLE_LIMIT = 200
DESCRIPTION_LIMIT = 1000

Id = Annotated[str, "id"]
"""Other systems number their things: in JSON it may be a number."""
SPARE = {"spare": True}
"""Metadata of a field that JSON leaves out where it is empty."""


def called(name: str) -> dict[str, str]:
    """Metadata of a field that has another name in JSON."""
    return {"called": name}


@dataclass(frozen=True, slots=True)
class Span:
    """Where in the user's text something stands: `text[start:end]`."""

    start: int
    end: int


Source = Literal[
    "words", "store", "conversation", "default", "llm", "composer", "answer", "learned", "person", "import"
]
"""Who supplied a value: the words of the message, the store, earlier messages, the tool's default,
the LLM, the composer, the answer to a question, a choice often made before, a person at a form, or an imported file."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where an argument's value comes from. No argument exists without one."""

    source: Source
    span: Span | None = field(default=None, metadata=SPARE)
    """Set when the value was said in the message."""
    detail: str = field(default="", metadata=SPARE)
    """A few words for people, for example "the task listed second"."""


@dataclass(frozen=True, slots=True)
class Argument:
    name: str
    value: object
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that a decider, a person or a client asks for."""

    tool_name: str
    arguments: tuple[Argument, ...] = ()

    @property
    def parameters(self) -> dict[str, object]:
        return {argument.name: argument.value for argument in self.arguments}

    @property
    def asked(self) -> tuple[str, dict[str, object]]:
        """What it asks for, wherever that comes from: two calls with this in common are the same call."""
        return self.tool_name, self.parameters


def each_once(calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    """The same call twice in one message ("turn on, turn on the light") is one."""
    kept: list[ToolCall] = []
    for call in calls:
        if all(call.asked != other.asked for other in kept):
            kept.append(call)
    return tuple(kept)


def make_call(tool_name: str, parameters: Mapping[str, object], source: Source) -> ToolCall:
    """A call whose arguments all come from the same source, for example a form."""
    provenance = Provenance(source)
    return ToolCall(tool_name, tuple(Argument(name, value, provenance) for name, value in parameters.items()))


class ErrorKind(enum.StrEnum):
    """Every way in which a tool call can fail. The set is closed: pages and lanes switch on it."""

    UNKNOWN_TOOL = "unknown_tool"
    UNKNOWN_ARGUMENT = "unknown_argument"
    MISSING_ARGUMENT = "missing_argument"
    WRONG_TYPE = "wrong_type"
    INVALID_VALUE = "invalid_value"
    """An unknown filter or priority, a negative limit, text that cannot be stored."""
    EMPTY_TITLE = "empty_title"
    TITLE_TOO_LONG = "title_too_long"
    DESCRIPTION_TOO_LONG = "description_too_long"
    BAD_DATE = "bad_date"
    NOTHING_TO_CHANGE = "nothing_to_change"
    NOT_FOUND = "not_found"
    SEVERAL_MATCHES = "several_matches"
    CONFLICT = "conflict"
    """The task or machine was changed by somebody else in the meantime."""
    NOT_CONNECTED = "not_connected"
    """The machine is there, but cannot be reached."""
    NEEDS_CLARIFICATION = "needs_clarification"
    """Nothing was done yet: the call is incomplete, and there are several ways to complete it."""
    NEEDS_CONFIRMATION = "needs_confirmation"
    """Nothing was done yet: a person has to say yes first."""
    DECLINED = "declined"
    """The person said no, or nothing in time."""
    BAD_CONFIRMATION = "bad_confirmation"
    """A confirmation that was never given out, was used, has expired, or belongs to somebody else."""
    NOT_ALLOWED = "not_allowed"
    """Who asks has a role that may not do this."""
    UNAVAILABLE = "unavailable"
    """The database is gone, locked for too long, full or read-only."""
    INTERNAL = "internal"
    """A bug of ours. The details are in the log, never in the result."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came of a call: spec 4's output shape in `payload`, and the kind of error if it failed."""

    tool_name: str
    payload: Mapping[str, object] = field(default_factory=dict)
    error: ErrorKind | None = None
    audit_id: str | None = None
    """The row of the audit trail that holds this call; undo starts from it."""

    @property
    def ok(self) -> bool:
        return self.error is None

    @property
    def error_message(self) -> str:
        return str(self.payload.get("error_message", ""))


@dataclass(frozen=True, slots=True)
class Task:
    """A task as the store gave it at one moment."""

    id: Id
    number: int
    """Counts up per user; people see and say it as #12."""
    title: str
    description: str = ""
    priority: Priority = "medium"
    status: str = "pending"
    """One of the two states of its domain."""
    due_date: str | None = None
    """ISO: a day (`2026-03-02`) or a day with a time (`2026-03-02T18:30`)."""
    created_at: str = ""
    updated_at: str = ""
    completed_at: str | None = None

    @property
    def completed(self) -> bool:
        return self.status == "completed"
