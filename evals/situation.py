"""The situation in which a message is said, and what becomes of it when the decider's calls are carried out.

A few lines in memory stand for the store, so that a conversation can go on: a task just added can be
completed, and "the second one" means the second task just listed. What the real store does is tested there.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from domains.loading import TASKS, load_domain, numbered_nouns
from engine.border.wire import read_context
from engine.decision import Context, Decision, Message, TaskIndex
from engine.domain import Catalogue, Reads, ToolFacts
from engine.targets.identifiers import parse_identifier
from engine.targets.memory_index import MemoryIndex
from engine.targets.recorded_index import ReplayIndex
from engine.values import Task, ToolCall
from evals.case import Case

_FIELDS: Mapping[Reads, str] = {
    "name": "title",
    "note": "description",
    "level": "priority",
    "date": "due_date",
    "status": "status",
}
"""Where a thing keeps what an argument of this kind gives it. What a domain keeps besides, the engine never reads."""
_NO_DATE = "none"


@dataclass(frozen=True, slots=True)
class Situation:
    case: Case
    tasks: tuple[Task, ...]
    context: Context


def begin(case: Case) -> Situation:
    history = tuple(
        Message(said.role, said.content, tuple(case.keys.get(key, key) for key in said.tasks)) for said in case.history
    )
    if load_domain(case.domain).conduct:
        context = read_context(case.reach, case.now, load_domain(case.domain))
        own = replace(context, history=history, pending=case.pending, user=case.user, language=case.language)
        return Situation(case, case.tasks, own)
    index = ReplayIndex(case.tasks, case.lookups) if case.lookups else make_index(case.tasks)
    context = Context(index, case.now, history, case.pending, case.user, case.language)
    return Situation(case, case.tasks, context)


@lru_cache(maxsize=64)
def make_index(tasks: tuple[Task, ...]) -> TaskIndex:
    """Kept: most cases of a file share their tasks, and to index them takes as long as a third of a decision."""
    return MemoryIndex(tasks)


def go_on(situation: Situation, text: str, decision: Decision) -> Situation:
    """The situation after the decision: calls done when it executes, the messages kept, its question pending."""
    tasks, named = situation.tasks, _named(decision)
    domain = load_domain(situation.case.domain)
    catalogue = domain.catalogue
    if decision.action == "execute" and domain.conduct is None:
        for call in decision.calls:
            tasks, touched = _carry_out(call, tasks, catalogue, situation.case.domain)
            named = touched or named
    reply = decision.message or "Done."
    said = (Message("user", text), Message("assistant", reply, named))
    history = (*situation.context.history, *said)
    index = situation.context.tasks if domain.conduct else make_index(tasks)
    context = replace(situation.context, tasks=index, history=history, pending=decision.pending)
    return Situation(situation.case, tasks, context)


def find_task(identifier: object, tasks: tuple[Task, ...], domain: str = TASKS) -> Task | None:
    """The one thing that a call names as its target: by id, by number, or by its exact title."""
    wanted = parse_identifier(str(identifier), numbered_nouns(domain))
    by_id = [task for task in tasks if task.id in (wanted.uuid, wanted.text)]
    by_title = [task for task in tasks if task.title.casefold() == wanted.text.casefold()]
    by_number = [task for task in tasks if task.number == wanted.number]
    found = by_id or by_title or by_number
    return found[0] if len(found) == 1 else None


def _named(decision: Decision) -> tuple[str, ...]:
    if decision.pending and decision.pending.options:
        return decision.pending.options
    return tuple(reference.task_id for reference in decision.references if reference.task_id)


def _carry_out(
    call: ToolCall, tasks: tuple[Task, ...], catalogue: Catalogue, domain: str
) -> tuple[tuple[Task, ...], tuple[str, ...]]:
    """What there is afterwards, and the ids that the assistant's answer names."""
    facts = catalogue.by_name.get(call.tool_name)
    if facts is None:
        return tasks, ()
    if facts.intent in catalogue.lists:
        return tasks, tuple(task.id for task in _shown(tasks, call, facts, catalogue))
    if facts.effect == "add":
        new = _new_task(_fields(call, facts), max((task.number for task in tasks), default=0) + 1, catalogue)
        return (*tasks, new), (new.id,)
    target = find_task(catalogue.target_of(call) or "", tasks, domain)
    if target is None:
        return tasks, ()
    if facts.effect == "remove":
        return tuple(task for task in tasks if task.id != target.id), (target.id,)
    given = _fields(call, facts)
    if facts.effect == "finish":
        given["status"] = catalogue.states[1]
    changed = replace(target, **given)
    return tuple(changed if task.id == target.id else task for task in tasks), (target.id,)


def _shown(tasks: tuple[Task, ...], call: ToolCall, facts: ToolFacts, catalogue: Catalogue) -> tuple[Task, ...]:
    """Those in the state asked for; every other condition is the store's matter."""
    state = call.parameters.get(facts.argument("state_filter"))
    return tuple(task for task in tasks if state not in catalogue.states or state == task.status)


def _fields(call: ToolCall, facts: ToolFacts) -> dict[str, Any]:
    """The decider's values, as they came, by the field that keeps them."""
    kept = {name: _FIELDS[kind] for name, kind in facts.reads.items() if kind in _FIELDS}
    given: dict[str, Any] = {kept[name]: value for name, value in call.parameters.items() if name in kept}
    if given.get("due_date") == _NO_DATE:
        given["due_date"] = None
    return given


def _new_task(given: Mapping[str, Any], number: int, catalogue: Catalogue) -> Task:
    title = str(given.get("title", ""))
    made = {
        "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"new/{number}/{title}")),
        "number": number,
        "status": catalogue.states[0],
        "created_at": f"2026-03-02T09:{number % 60:02}:00",
        "updated_at": f"2026-03-02T09:{number % 60:02}:00",
    }
    return Task(**{**made, **given, "title": title})
