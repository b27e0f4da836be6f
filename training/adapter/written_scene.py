"""A turn of a written conversation, and what its calls are written down from: the store, and the changes so far."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from domains.loading import load_domain, load_policy
from engine.decision import Context, Message, Pending
from engine.policy.values import Policy
from engine.targets.memory_index import MemoryIndex
from engine.text.folding import split_words
from engine.values import Task, ToolCall
from evals.conversations.form import ExpectedOutcome
from llm.standing import pick_tasks
from llm.tool_list import REDO, UNDO
from training.adapter.example import Call
from training.written import KeptStore, StandingTurn, apply

_FIELDS = ("title", "description", "priority", "due_date", "status")
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


def find_scene(standing: StandingTurn, changes: Changes, more: int) -> Scene:
    context, language = standing.context, standing.conversation.lang
    tasks = tuple(
        replace(task, number=task.number + more)
        for each in standing.store.tasks
        if (task := context.tasks.find_by_id(each["id"]))
    )
    history = _as_it_was(context.history, changes, standing.place)
    context = replace(context, tasks=MemoryIndex(tasks), history=history, pending=context.pending or changes.asked)
    seen = frozenset(task.id for task in pick_tasks(standing.turn.say, context, load_domain().catalogue))
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


def state_of(store: KeptStore) -> State:
    return {each["id"]: tuple(each[name] for name in _FIELDS) for each in store.tasks}


def state_after(outcome: ExpectedOutcome, store: KeptStore) -> State:
    made = copy.deepcopy(store)
    apply(outcome, made)
    return state_of(made)


def follow(changes: Changes, before: State, after: State, calls: tuple[Call, ...] | None, place: int) -> None:
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
