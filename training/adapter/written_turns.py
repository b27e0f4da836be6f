"""Turns of written conversations as examples: what the model sees, and the calls that come to what is expected.

What is expected is a change of the store; the calls that make it are in the model's form: tasks by their numbers,
values as words of the message. A turn whose values nobody can copy is left out.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from db.tasks.due import due_range
from domains.deciders import make_engine
from domains.loading import load_domain, load_policy
from engine.decider import RuleDecider
from engine.decision import Context, Decision, Message, Pending
from engine.policy.values import Policy
from engine.targets.memory_index import MemoryIndex
from engine.text.folding import fold, split_words
from engine.values import Task, ToolCall
from evals.conversations.form import AddedTask, ChangedTask, ExpectedOutcome
from evals.conversations.reading import load_conversations
from llm.prompt import trained_messages
from llm.standing import pick_tasks
from llm.telling import tell_all
from llm.tool_list import REDO, TELL, UNDO
from llm.words import says_more
from training.adapter.example import Call, Example, in_order
from training.adapter.spans import day_words, due_words, spelled_as, title_words_of
from training.adapter.speaker import load_words
from training.written import KeptStore, StandingTurn, apply, each_turn

_FIELDS = ("title", "description", "priority", "due_date", "status")
_HIGHER_NUMBERS = 60
_CHANGES = ("undo",)
_PLURAL = ("count", "next", "urgent")
State = dict[str, tuple[Any, ...]]


@dataclass
class Changes:
    """What was changed in a conversation so far: the store before each change, and what an undo took back."""

    before: list[State] = field(default_factory=list)
    undone: list[State] = field(default_factory=list)
    taken_back: list[int] = field(default_factory=list)
    """The turns that took something back, or made it again."""
    asked: Pending | None = None
    """What the turn before asked, by the engine's reading."""


@dataclass(frozen=True)
class Scene:
    """One turn with what is needed to write down its calls."""

    text: str
    kind: str
    context: Context
    store: KeptStore | None
    policy: Policy
    tasks: tuple[Task, ...]
    in_view: frozenset[str]

    def task(self, task_id: str) -> Task:
        return next(task for task in self.tasks if task.id == task_id)

    def number(self, task_id: str) -> str:
        return f"#{self.task(task_id).number}"

    def find(self, forms: Sequence[str]) -> str | None:
        """The id of the task that is called so."""
        found = self.store.find(tuple(forms)) if self.store else None
        return str(found["id"]) if found else None

    @property
    def known(self) -> frozenset[str]:
        said = [message.content for message in self.context.history if message.role == "user"]
        titles = [task.title for task in self.tasks if task.id in self.in_view]
        return frozenset(word for each in (*said, *titles) for word in split_words(each))


def written_examples(path: Path, seed: int) -> list[Example]:
    """Those of one file."""
    engine, domain = make_engine(), load_domain()
    chooser = random.Random(f"{seed} {path.name}")  # noqa: S311 - nothing secret
    found: list[Example] = []
    for conversation in load_conversations([path]):
        more = chooser.choice((0, 0, chooser.randint(1, _HIGHER_NUMBERS)))
        changes = Changes()
        made = [example_of(standing, engine, changes, more) for standing in each_turn(conversation, domain)]
        found += [example for example in made if example]
    return found


def example_of(standing: StandingTurn, engine: RuleDecider, changes: Changes, more: int = 0) -> Example | None:
    scene = _scene(standing, changes, more)
    language, turn = standing.conversation.lang, standing.turn
    before, after = _state(standing.store), _after(turn.expect.outcomes[0], standing.store)
    calls: tuple[Call, ...] | None = None
    for outcome in turn.expect.outcomes:
        calls = _calls(outcome, scene, engine, changes, after)
        if calls is not None:
            break
    _follow(changes, before, after, calls, standing.place)
    changes.asked = engine.decide(turn.say, scene.context).pending if turn.expect.outcomes[0].ask else None
    if calls is None:
        return None
    messages = tuple(trained_messages(turn.say, scene.context))
    text = "" if calls else load_words(language)["replies"]["chat"]
    return Example(f"written_{turn.kind}", language, messages, calls, text)


def _scene(standing: StandingTurn, changes: Changes, more: int) -> Scene:
    context, language = standing.context, standing.conversation.lang
    tasks = tuple(
        replace(task, number=task.number + more)
        for each in standing.store.tasks
        if (task := context.tasks.find_by_id(each["id"]))
    )
    history = _as_it_was(context.history, changes, standing.place)
    context = replace(context, tasks=MemoryIndex(tasks), history=history, pending=context.pending or changes.asked)
    seen = frozenset(task.id for task in pick_tasks(standing.turn.say, context))
    return Scene(standing.turn.say, standing.turn.kind, context, standing.store, load_policy(language), tasks, seen)


def _as_it_was(history: tuple[Message, ...], changes: Changes, place: int) -> tuple[Message, ...]:
    """An undo is no change of its own in what a conversation keeps."""
    first = place - len(history) // 2
    back = ToolCall(UNDO)
    return tuple(
        replace(message, calls=(back,))
        if message.role == "assistant" and first + at // 2 in changes.taken_back
        else message
        for at, message in enumerate(history)
    )


def _state(store: KeptStore) -> State:
    return {each["id"]: tuple(each[name] for name in _FIELDS) for each in store.tasks}


def _after(outcome: ExpectedOutcome, store: KeptStore) -> State:
    made = copy.deepcopy(store)
    apply(outcome, made)
    return _state(made)


def _follow(changes: Changes, before: State, after: State, calls: tuple[Call, ...] | None, place: int) -> None:
    if calls and calls[0][0] in (UNDO, REDO):
        changes.taken_back.append(place)
    if after == before:
        return
    if calls == ((UNDO, {}),):
        changes.undone.append(before)
        changes.before.pop()
    else:
        changes.undone.clear()
        changes.before.append(before)


def _calls(
    outcome: ExpectedOutcome, scene: Scene, engine: RuleDecider, changes: Changes, after: State
) -> tuple[Call, ...] | None:
    if outcome.nothing:
        return () if not outcome.tell else None
    if scene.kind in _CHANGES and outcome.changes:
        if changes.before and after == changes.before[-1]:
            return ((UNDO, {}),)
        if changes.undone and after == changes.undone[-1]:
            return ((REDO, {}),)
        back = _brought_back(outcome, scene)
        if back:
            return ((UNDO, {"title": back}),)
    if outcome.ask:
        return _asking(scene, engine)
    if outcome.show is not None or outcome.tell:
        return _reading(outcome, scene, engine) if not outcome.changes else None
    found: list[Call | None] = []
    found += [_add(added, scene) for added in outcome.add]
    found += [_set(changed, scene) for changed in outcome.set]
    found += [_delete(forms, scene) for forms in (*outcome.delete, *outcome.ask_delete)]
    if not found or any(call is None for call in found):
        return None
    return tuple(call for call in found if call)


def _brought_back(outcome: ExpectedOutcome, scene: Scene) -> str | None:
    """What was deleted a while ago and is wanted again, in words of the message."""
    if len(outcome.add) != 1 or outcome.set or outcome.delete or scene.store is None:
        return None
    forms = {fold(form) for form in outcome.add[0].title}
    gone = next((each for each in scene.store.gone if fold(each["title"]) in forms), None)
    if gone is None:
        return None
    spoken = set(split_words(scene.text))
    said = [word for word in split_words(gone["title"]) if len(word) > 3 and word in spoken]
    return spelled_as(said[0], scene.text) if said else None


def _add(added: AddedTask, scene: Scene) -> Call | None:
    title = title_words_of(added.title, scene.text, scene.known)
    if title is None:
        return None
    arguments: dict[str, Any] = {"title": title}
    fields = added.fields
    if fields.get("due_date"):
        words = due_words(fields["due_date"], scene.text, scene.context, scene.policy, None)
        if words is None:
            return None
        arguments["due_date"] = words
    if fields.get("priority"):
        arguments["priority"] = fields["priority"]
    if fields.get("description"):
        note = _note(fields["description"], scene)
        if note is None:
            return None
        arguments["description"] = note
    return in_order("add_task", arguments)


def _note(wanted: str, scene: Scene) -> str | None:
    if fold(wanted) in fold(scene.text):
        return spelled_as(wanted, scene.text)
    return wanted if set(split_words(wanted)) <= set(split_words(scene.text)) else None


def _new_note(wanted: str, task: Task, scene: Scene) -> str | None:
    """The note, or what is put behind the one that is there."""
    old = task.description
    if old and fold(wanted).startswith(fold(old)) and len(wanted) > len(old):
        more = wanted[len(old) :].strip(" \n,;.-:/+")
        return _note(more, scene) if more and says_more(scene.text, scene.policy) else None
    if old and says_more(scene.text, scene.policy):
        return None  # our code would put it behind the old one
    return _note(wanted, scene)


def _set(changed: ChangedTask, scene: Scene) -> Call | None:
    found = scene.find(changed.task)
    if found not in scene.in_view:
        return None
    task, fields = scene.task(str(found)), changed.fields
    target = {"task_identifier": f"#{task.number}"}
    if set(fields) == {"status"} and fields["status"] == "completed":
        return in_order("complete_task", target)
    arguments: dict[str, Any] = dict(target)
    for name, value in fields.items():
        given = _field(name, value, task, scene)
        if given is None:
            return None
        arguments[f"new_{name}"] = given
    return in_order("update_task", arguments)


def _field(name: str, value: Any, task: Task, scene: Scene) -> str | None:
    if name == "title":
        return title_words_of(value, scene.text, scene.known)
    if name == "due_date":
        return due_words(value, scene.text, scene.context, scene.policy, task) if value else "none"
    if name == "description":
        return _new_note(value, task, scene) if value else ""
    return str(value)


def _delete(forms: Sequence[str], scene: Scene) -> Call | None:
    found = scene.find(forms)
    return ("delete_task", {"task_identifier": scene.number(str(found))}) if found in scene.in_view else None


def _asking(scene: Scene, engine: RuleDecider) -> tuple[Call, ...] | None:
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


def _reading(outcome: ExpectedOutcome, scene: Scene, engine: RuleDecider) -> tuple[Call, ...] | None:
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
