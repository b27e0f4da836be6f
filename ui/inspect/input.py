"""What Inspect takes apart: a text in a context, the context in the form of `engine.border.wire`. No streamlit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from db.tasks.listing import TaskQuery
from db.tasks.service import TaskService
from db.users import User
from domains.deciders import make_engine
from engine.border.wire import read_context
from engine.decision import Context
from engine.targets.recorded_index import RecordingIndex
from engine.values import Task
from ui.resources import load_database, now_here

TABLE_LIMIT = 300
"""More tasks than this are not laid out for editing; those that a message could mean are looked up in the store."""


@dataclass(frozen=True, slots=True)
class InspectInput:
    text: str
    context_wire: Mapping[str, Any]
    """`tasks`, `history`, `pending`, `now`, `lang`, `user`."""


def make_context(wire: Mapping[str, Any]) -> Context:
    return read_context(wire, now_here())


def context_of(user: User) -> tuple[dict[str, Any], int]:
    """A person's own tasks, here and now; and how many tasks they have in all."""
    with load_database().read() as session:
        service = TaskService(session, user, now_here)
        total = service.count(TaskQuery())
        # The newest last, as the engine takes a list: later tasks count as more recent.
        tasks = tuple(reversed(service.recent(TABLE_LIMIT)))
    wire = {"tasks": [write_task(task) for task in tasks], "history": [], "pending": None, "lang": None}
    return {**wire, "now": now_here().replace(microsecond=0).isoformat(), "user": user.handle}, total


def write_task(task: Task) -> dict[str, Any]:
    return asdict(task)


def find_further_tasks(user: User, text: str, wire: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Tasks beyond those of the table that the message could mean: those that the engine asks the store for."""
    known = {str(task.get("id")) for task in wire["tasks"]}
    with load_database().read() as session:
        asked = RecordingIndex(TaskService(session, user, now_here))
        context = make_context({**wire, "tasks": []})
        make_engine().decide(text, Context(asked, context.now, context.history, context.pending, "", context.language))
    return [write_task(task) for task in asked.tasks if task.id not in known]
