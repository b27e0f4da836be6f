"""What a browser session remembers, as plain values; the files beside this one keep and read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from db.tasks.listing import TaskQuery
from llm.connection import Connection
from llm.endpoint import Endpoint

EditedRows = Mapping[int, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Notice:
    """One sentence about what just happened."""

    kind: Literal["success", "error"]
    text: str
    place: str = ""
    """The part of a long page that it belongs to; empty: the page's own place for it."""
    decides: bool = False
    """What was done decides from now on, so that it can be tried in Chat."""


@dataclass(frozen=True, slots=True)
class TableView:
    """The rows on screen. They keep their places while one edits them, and are read anew as soon as
    something else changed: the person, the query, or tasks changed elsewhere."""

    user_id: str
    query: TaskQuery
    revision: int
    task_ids: tuple[str, ...]
    generation: int
    """Part of the table's key: a new generation drops what was typed into the old one."""


@dataclass(frozen=True, slots=True)
class ContextEditor:
    """What Inspect's context editor started from. A new generation makes new fields with these values."""

    user_id: str
    revision: int
    """Of what is in reach when it was read."""
    turn_id: str
    """Empty: not a recorded turn but the person's own tasks."""
    origin: Mapping[str, Any]
    """The context before anybody edited it."""
    started: Any
    """The draft (`ui.inspect.draft`) that the fields were made with."""
    current: Any
    """The draft as it is now; also what the fields start from after another page was shown."""
    good: Mapping[str, Any]
    """The last context that could be read."""
    total: int = 0
    """How many things the person has in all."""
    text: str = ""
    """The message of the recorded turn."""
    source: Literal["own", "turn", "line", "case", "labelled", "missing"] = "own"
    """Where the context is from; `missing`: the person's own, as the address names a turn that does not exist."""
    generation: int = 0
    domain: str = "tasks"
    """What the message is about."""


@dataclass(frozen=True, slots=True)
class CheckedEndpoint:
    """What a test of the connection found, and of which connection."""

    endpoint: Endpoint
    found: Connection
