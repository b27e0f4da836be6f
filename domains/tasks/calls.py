"""The calls that a person makes by hand on the page of the tasks. They are carried out like those of any lane."""

from __future__ import annotations

from collections.abc import Mapping

from domains.tasks.tools import CATALOGUE
from engine.domain import Effect
from engine.values import Source, ToolCall, make_call

_PERSON: Source = "person"
_TOOLS = {facts.effect: facts for facts in CATALOGUE.tools if facts.changes_something}


def adding(title: str, description: str = "", priority: str = "medium", due_date: str | None = None) -> ToolCall:
    given = {"title": title, "description": description, "priority": priority, "due_date": due_date}
    return make_call(_TOOLS["add"].name, given, _PERSON)


def completing(task_id: str) -> ToolCall:
    return _about(task_id, "finish")


def deleting(task_id: str) -> ToolCall:
    return _about(task_id, "remove")


def changing(task_id: str, changes: Mapping[str, object]) -> ToolCall:
    """What changes, by the argument that says it: `new_title`."""
    return _about(task_id, "change", changes)


def _about(task_id: str, effect: Effect, more: Mapping[str, object] | None = None) -> ToolCall:
    facts = _TOOLS[effect]
    return make_call(facts.name, {facts.target: task_id, **(more or {})}, _PERSON)
