"""The situation in which a message is said, and what becomes of it when the decider's calls are carried out.

A few lines in memory stand for the store, so that a conversation can go on: a task just added can be
completed, and "the second one" means the second task just listed. What the real store does is tested there.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from domains.loading import numbered_nouns
from engine.decision import Context, Decision, Message, TaskIndex
from engine.targets.identifiers import parse_identifier
from engine.targets.memory_index import MemoryIndex
from engine.targets.recorded_index import ReplayIndex
from engine.values import Priority, Task, ToolCall
from evals.case import Case


@dataclass(frozen=True, slots=True)
class Situation:
    case: Case
    tasks: tuple[Task, ...]
    context: Context


def begin(case: Case) -> Situation:
    history = tuple(
        Message(said.role, said.content, tuple(case.keys.get(key, key) for key in said.tasks)) for said in case.history
    )
    index = ReplayIndex(case.tasks, case.lookups) if case.lookups else make_index(case.tasks)
    context = Context(index, case.now, history, case.pending, case.user, case.language)
    return Situation(case, case.tasks, context)


def make_index(tasks: tuple[Task, ...]) -> TaskIndex:
    return MemoryIndex(tasks)


def go_on(situation: Situation, text: str, decision: Decision) -> Situation:
    """The situation after the decision: calls done when it executes, the messages kept, its question pending."""
    tasks, named = situation.tasks, _named(decision)
    if decision.action == "execute":
        for call in decision.calls:
            tasks, touched = _carry_out(call, tasks)
            named = touched or named
    reply = decision.message or "Done."
    said = (Message("user", text), Message("assistant", reply, named))
    history = (*situation.context.history, *said)
    context = replace(situation.context, tasks=make_index(tasks), history=history, pending=decision.pending)
    return Situation(situation.case, tasks, context)


def find_task(identifier: object, tasks: tuple[Task, ...]) -> Task | None:
    """The one task that an argument `task_identifier` names: by id, by number, or by its exact title."""
    wanted = parse_identifier(str(identifier), numbered_nouns())
    by_id = [task for task in tasks if task.id in (wanted.uuid, wanted.text)]
    by_title = [task for task in tasks if task.title.casefold() == wanted.text.casefold()]
    by_number = [task for task in tasks if task.number == wanted.number]
    found = by_id or by_title or by_number
    return found[0] if len(found) == 1 else None


def _named(decision: Decision) -> tuple[str, ...]:
    if decision.pending and decision.pending.options:
        return decision.pending.options
    return tuple(reference.task_id for reference in decision.references if reference.task_id)


def _carry_out(call: ToolCall, tasks: tuple[Task, ...]) -> tuple[tuple[Task, ...], tuple[str, ...]]:
    """The tasks afterwards, and the ids that the assistant's answer names."""
    given = call.parameters
    if call.tool_name == "list_tasks":
        shown = tuple(task for task in tasks if given.get("filter", "all") in ("all", "overdue", task.status))
        return tasks, tuple(task.id for task in shown)
    if call.tool_name == "add_task":
        new = _new_task(given, number=max((task.number for task in tasks), default=0) + 1)
        return (*tasks, new), (new.id,)
    target = find_task(given.get("task_identifier", ""), tasks)
    if target is None:
        return tasks, ()
    if call.tool_name == "delete_task":
        return tuple(task for task in tasks if task.id != target.id), (target.id,)
    changed = replace(target, status="completed") if call.tool_name == "complete_task" else _changed(target, given)
    return tuple(changed if task.id == target.id else task for task in tasks), (target.id,)


def _new_task(given: Mapping[str, object], number: int) -> Task:
    title = str(given.get("title", ""))
    due_date = given.get("due_date")
    return Task(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, f"new/{number}/{title}")),
        number=number,
        title=title,
        description=str(given.get("description", "")),
        priority=cast("Priority", given.get("priority", "medium")),
        due_date=str(due_date) if due_date else None,
        created_at=f"2026-03-02T09:{number % 60:02}:00",
        updated_at=f"2026-03-02T09:{number % 60:02}:00",
    )


def _changed(task: Task, given: Mapping[str, object]) -> Task:
    new_values = {name.removeprefix("new_"): value for name, value in given.items() if name.startswith("new_")}
    if new_values.get("due_date") == "none":
        new_values["due_date"] = None
    return replace(task, **new_values)  # type: ignore[arg-type]  # the decider's values, as they came
