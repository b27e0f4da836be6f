"""What Inspect takes apart: a text in a context, the context in the form of `engine.border.wire`. No streamlit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from db.reach import open_reach, read_reach
from db.users import User
from domains.deciders import make_engine
from domains.loading import TASKS, load_domain
from engine.border.wire import read_context
from engine.decision import Context
from engine.targets.recorded_index import RecordingIndex
from engine.values import Task
from ui.resources import load_database, now_here

TABLE_LIMIT = 300
"""More than this are not laid out for editing; those that a message could mean are looked up in the store."""


@dataclass(frozen=True, slots=True)
class InspectInput:
    text: str
    context_wire: Mapping[str, Any]
    """What is in reach (`tasks`, or what the domain has instead), `history`, `pending`, `now`, `lang`, `user`."""
    domain: str = TASKS
    thresholds: Mapping[str, float] | None = None
    """Those that were in force for a recorded turn; None: today's."""


def make_context(wire: Mapping[str, Any], domain: str = TASKS) -> Context:
    # A recorded context may name what its domain no longer has; of tasks there are many years of them.
    return read_context(wire, now_here(), None if domain == TASKS else load_domain(domain))


def context_of(user: User, domain: str = TASKS) -> tuple[dict[str, Any], int]:
    """A person's own things, here and now; and how many they have in all."""
    with load_database().read() as session:
        reach, total = read_reach(session, user, now_here, domain, TABLE_LIMIT)
    wire = {**reach, "history": [], "pending": None, "lang": None}
    return {**wire, "now": now_here().replace(microsecond=0).isoformat(), "user": user.handle}, total


def write_task(task: Task) -> dict[str, Any]:
    return asdict(task)


def find_further_tasks(user: User, text: str, wire: Mapping[str, Any], domain: str = TASKS) -> list[dict[str, Any]]:
    """Things beyond those of the table that the message could mean: those that the engine asks the store for."""
    known = {str(task.get("id")) for task in wire["tasks"]}
    with load_database().read() as session:
        asked = open_reach(session, user, now_here, domain)
        context = make_context({**wire, "tasks": []}, domain)
        own = Context(asked, context.now, context.history, context.pending, "", context.language)
        make_engine(domain=domain).decide(text, own)
    tasks = asked.tasks if isinstance(asked, RecordingIndex) else ()
    return [write_task(task) for task in tasks if task.id not in known]
