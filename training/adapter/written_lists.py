"""From what is to be shown, told or asked back to the call that does it, where the engine or a plain list finds one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from db.tasks.due import due_range
from engine.decider import RuleDecider
from engine.decision import Decision
from engine.text.folding import fold, split_words
from evals.conversations.form import ExpectedOutcome
from llm.telling import tell_all
from llm.tool_list import TELL
from training.adapter.example import Call, in_order
from training.adapter.spans import day_words, due_words, spelled_as
from training.adapter.written_scene import Scene

_PLURAL = ("count", "next", "urgent")


def write_asking(scene: Scene, engine: RuleDecider) -> tuple[Call, ...] | None:
    """A question back, where the engine asks one, too: several tasks that fit, or a value that is missing."""
    decision = engine.decide(scene.text, scene.context)
    pending = decision.pending
    if decision.action not in ("clarify", "confirm") or pending is None or not pending.call.tool_name:
        return None
    name = pending.call.tool_name
    given = copied(scene, pending.call.parameters)
    if given is None or name == "list_tasks":
        return None
    if pending.kind == "choose" and 1 < len(pending.options) <= 4:
        given["task_identifier"] = " or ".join(scene.number(each) for each in pending.options)
    elif pending.kind == "fill":
        given.setdefault("title" if name == "add_task" else "task_identifier", "")
    elif pending.kind == "confirm":
        return None
    return (in_order(name, given),)


def copied(scene: Scene, parameters: dict[str, Any], *, as_list: bool = False) -> dict[str, Any] | None:
    """The engine's arguments in the model's form."""
    if as_list:
        return _list_words({name: value for name, value in parameters.items() if value is not None}, scene)
    given: dict[str, Any] = {}
    for name, value in parameters.items():
        if value is None:
            continue
        if name == "task_identifier":
            given[name] = scene.number(str(value))
        elif name in ("due_date", "new_due_date") and value != "none":
            target = str(parameters.get("task_identifier", ""))
            task = scene.context.tasks.find_by_id(target)
            words = due_words(str(value), scene.text, scene.context, scene.policy, task)
            if words is None:
                return None
            given[name] = words
        elif name in ("title", "new_title", "description", "new_description"):
            if fold(str(value)) not in fold(scene.text):
                return None
            given[name] = spelled_as(str(value), scene.text)
        else:
            given[name] = value
    return given


def write_reading(outcome: ExpectedOutcome, scene: Scene, engine: RuleDecider) -> tuple[Call, ...] | None:
    wanted = None
    if outcome.show is not None:
        found = [scene.find(forms) for forms in outcome.show]
        if any(each is None for each in found):
            return None
        wanted = frozenset(str(each) for each in found)
    decision = engine.decide(scene.text, scene.context)
    if outcome.tell and decision.asks in _PLURAL and (calls := _counted(outcome, scene, decision)):
        return calls
    if outcome.tell:
        told = _told(outcome.tell, wanted, scene)
        if told:
            return ((TELL, {"task_identifier": told}),)
    if wanted is None:
        return _counted(outcome, scene, decision)
    tries = [call.parameters for call in decision.calls if call.tool_name == "list_tasks"]
    for parameters in (*tries, *_filters(scene)):
        kept = {name: value for name, value in parameters.items() if value is not None}
        if frozenset(listed(kept, scene)) == wanted and (arguments := _list_words(kept, scene)) is not None:
            return (in_order("list_tasks", arguments),)
    return None


def _told(tell: Sequence[Sequence[str]], wanted: frozenset[str] | None, scene: Scene) -> str | None:
    """The task whose facts answer the question."""
    likely = [task.id for task in scene.context.tasks.candidates(scene.text, 3)]
    spoken = [each for message in reversed(scene.context.history[-4:]) for each in message.tasks]
    order = [*likely, *spoken, *(task.id for task in scene.tasks)]
    for task_id in dict.fromkeys(order):
        if task_id not in scene.in_view or (wanted is not None and wanted != {task_id}):
            continue
        said = tell_all(scene.task(task_id), scene.policy, scene.context.now).casefold()
        if all(any(form.casefold() in said for form in forms) for forms in tell):
            return scene.number(task_id)
    return None


def _counted(outcome: ExpectedOutcome, scene: Scene, decision: Decision) -> tuple[Call, ...] | None:
    calls = [call for call in decision.calls if call.tool_name == "list_tasks"]
    if len(calls) != 1 or decision.action != "execute":
        return None
    kept = {name: value for name, value in calls[0].parameters.items() if value is not None}
    names = " ".join(scene.task(each).title for each in listed(kept, scene)).casefold()
    told = f"{len(listed(kept, scene))} {names}"
    fits = all(any(form.casefold() in told for form in forms) for forms in outcome.tell)
    arguments = _list_words(kept, scene) if fits else None
    return (in_order("list_tasks", arguments),) if arguments is not None else None


def _filters(scene: Scene) -> Iterator[dict[str, Any]]:
    """Simple lists, the plainest first."""
    yield {}
    yield {"filter": "pending"}
    yield {"filter": "completed"}
    yield {"filter": "overdue"}
    words = [word for word in dict.fromkeys(split_words(scene.text)) if len(word) > 3]
    for word in words:
        yield {"search": word}
        yield {"filter": "pending", "search": word}
    if any(task.priority == "high" for task in scene.tasks):
        yield {"priority": "high"}


def listed(parameters: dict[str, Any], scene: Scene) -> list[str]:
    """What the store would list, in its order."""
    now = scene.context.now
    found = []
    for task in scene.tasks:
        state, due = parameters.get("filter", "all"), task.due_date
        past = bool(due) and (due < now.isoformat()[:16] if "T" in due else due < now.date().isoformat())
        if state == "overdue" and (task.completed or not past):
            continue
        if state in ("pending", "completed") and task.status != state:
            continue
        if parameters.get("priority") and task.priority != parameters["priority"]:
            continue
        days = parameters.get("due")
        if days == "none" and due:
            continue
        if days and days != "none":
            first, last = due_range(str(days), now.date())
            if not due or not first.isoformat() <= due[:10] <= last.isoformat():
                continue
        have = split_words(f"{task.title} {task.description}")
        if not all(any(word in other for other in have) for word in split_words(str(parameters.get("search") or ""))):
            continue
        found.append(task)
    found.sort(key=lambda task: (task.completed, task.due_date is None, task.due_date or "", task.number))
    start = int(parameters.get("offset") or 0)
    return [task.id for task in found][start : start + int(parameters.get("limit") or len(found) or 1)]


def _list_words(parameters: dict[str, Any], scene: Scene) -> dict[str, Any] | None:
    given = dict(parameters)
    if given.get("filter") == "all":
        given.pop("filter")
    if "due" in given and given["due"] not in ("none", "today", "tomorrow", "this_week"):
        words = day_words(str(given["due"]), scene.text, scene.context, scene.policy)
        if words is None:
            return None
        given["due"] = words
    if "search" in given:
        words = str(given["search"])
        if fold(words) not in fold(scene.text):
            return None
        given["search"] = spelled_as(words, scene.text)
    return given
