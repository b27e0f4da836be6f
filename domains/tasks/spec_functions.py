"""The two functions that the specs name, over the same engine as everything else.

`detect_intent_and_extract_params` is spec 2's, `map_user_input_to_tool` spec 1's. Both speak their
spec's vocabulary (task_id, filters, status); neither decides anything itself.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from domains.deciders import make_engine
from domains.tasks.mapping import find_tool
from engine.border.wire import read_task
from engine.decision import Context, Decision, Message
from engine.targets.memory_index import MemoryIndex
from engine.values import Task

_SPEC_NAMES = {
    "task_identifier": "task_id",
    "new_title": "title",
    "new_description": "description",
    "new_priority": "priority",
    "new_due_date": "due_date",
    "new_status": "status",
}
_LIST_NAMES = {"filter": "status", "due": "due_date"}
_FILTERS = ("filter", "priority", "due", "search")


class MappedIntent(enum.StrEnum):
    ADD = "add"
    LIST = "list"
    UPDATE = "update"
    COMPLETE = "complete"
    DELETE = "delete"
    IDENTITY = "identity"


_MAPPED = {
    "add_task": MappedIntent.ADD,
    "list_tasks": MappedIntent.LIST,
    "update_task": MappedIntent.UPDATE,
    "complete_task": MappedIntent.COMPLETE,
    "delete_task": MappedIntent.DELETE,
    "identity_query": MappedIntent.IDENTITY,
}


@dataclass(frozen=True, slots=True)
class MappedCall:
    """Spec 1's ToolCall: what to call, how sure, and what has to be asked first."""

    intent: MappedIntent
    tool_name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    confidence: float = 0.0
    requires_confirmation: bool = False
    clarification_needed: str | None = None


def detect_intent_and_extract_params(user_input: str, user_id: str) -> dict[str, Any] | None:
    """The tool that the words suggest, with what they say for it; None if they suggest none.

    There is no store behind it: a task is passed on as it was named.
    """
    decision = make_engine().decide(user_input, Context(tasks=MemoryIndex(), now=_now(), user=user_id))
    tool_name = find_tool(decision.intent)
    if tool_name is None or decision.action == "reply":
        return None
    params = {"user_id": user_id, **_named_task(decision), **_spec_parameters(decision)}
    return {"tool_name": tool_name, "params": params}


async def map_user_input_to_tool(
    user_message: str,
    conversation_history: Sequence[Mapping[str, Any]],
    current_tasks: Sequence[Mapping[str, Any]],
) -> MappedCall | None:
    """Spec 1's mapping: None without a clear intent, a question where something is missing."""
    tasks = tuple(read_task(entry, position) for position, entry in enumerate(current_tasks, 1))
    history = tuple(_read_turn(turn, tasks) for turn in conversation_history)
    decision = make_engine().decide(user_message, Context(tasks=MemoryIndex(tasks), now=_now(), history=history))
    intent = _MAPPED.get(decision.intent)
    if intent is None or decision.action == "reply":
        return None
    confidence = decision.confidence or 0.0
    if decision.action == "clarify":
        return MappedCall(intent, "", {}, confidence, clarification_needed=decision.message)
    parameters = _spec_parameters(decision)
    if intent is MappedIntent.ADD:
        parameters.setdefault("priority", "medium")
    if intent is MappedIntent.LIST:
        parameters = _with_filters(parameters)
    tool_name = find_tool(decision.intent) or ""
    return MappedCall(intent, tool_name, parameters, confidence, requires_confirmation=decision.action == "confirm")


def _now() -> datetime:
    return datetime.now()  # noqa: DTZ005 - people mean their own clock


def _spec_parameters(decision: Decision) -> dict[str, Any]:
    """The arguments of the first call, also of one that still waits, under the spec's names."""
    call = decision.calls[0] if decision.calls else decision.pending.call if decision.pending else None
    names = _LIST_NAMES if decision.intent == "list_tasks" else _SPEC_NAMES
    return {names.get(name, name): value for name, value in (call.parameters if call else {}).items()}


def _named_task(decision: Decision) -> dict[str, str]:
    return {"task_id": decision.references[0].mention} if decision.references else {}


def _with_filters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    shown = {_LIST_NAMES.get(name, name) for name in _FILTERS}
    filters = {name: value for name, value in parameters.items() if name in shown}
    rest = {name: value for name, value in parameters.items() if name not in shown}
    return {**({"filters": filters} if filters else {}), **rest}


def _read_turn(turn: Mapping[str, Any], tasks: tuple[Task, ...]) -> Message:
    """A message of the history; where it does not say which tasks it named, their titles in it do."""
    content = str(turn.get("content", ""))
    named = tuple(str(task_id) for task_id in turn.get("tasks") or ())
    if not named:
        places = [(content.lower().find(task.title.lower()), task.id) for task in tasks]
        named = tuple(task_id for place, task_id in sorted(places) if place >= 0)
    return Message("assistant" if turn.get("role") == "assistant" else "user", content, named)
