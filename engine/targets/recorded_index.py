"""What the engine asked of the tasks, kept with a turn: a decision can be made again from exactly the same answers.

A store of a million tasks cannot be kept with every turn, but what one message asks of it is a handful of tasks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from engine.decision import TaskIndex
from engine.targets.memory_index import MemoryIndex
from engine.values import Task

_FIELDS = tuple(each.name for each in fields(Task))
"""All of them plain values."""
Lookups = Mapping[str, list[str]]
"""The question ("candidates 8 dentist") -> the ids of the tasks that answered it, in order."""


class RecordingIndex:
    """Passes every question on that its answers so far leave open, and remembers the answer."""

    def __init__(self, inner: TaskIndex) -> None:
        self._inner = inner
        self._tasks: dict[str, Task] = {}
        self.lookups: dict[str, list[str]] = {}

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Every task that was seen, the one touched last at the end, as `MemoryIndex` expects them."""
        return tuple(sorted(self._tasks.values(), key=lambda task: (task.updated_at, task.number)))

    def record(self) -> dict[str, Any]:
        """For the store, in the form of the batch interface."""
        tasks = [{name: value for name in _FIELDS if (value := getattr(task, name))} for task in self.tasks]
        return {"tasks": tasks, "lookups": self.lookups}

    def find_by_id(self, task_id: str) -> Task | None:
        known = self._tasks.get(task_id)  # from an answer of the same moment
        return self._keep_one(_by_id(task_id), known or self._inner.find_by_id(task_id))

    def find_by_number(self, number: int) -> Task | None:
        return self._keep_one(_by_number(number), self._inner.find_by_number(number))

    def recent(self, limit: int) -> tuple[Task, ...]:
        found = self._answered(_recent(limit))
        return self._keep(_recent(limit), self._inner.recent(limit)) if found is None else found

    def candidates(self, mention: str, limit: int) -> tuple[Task, ...]:
        question = _candidates(mention, limit)
        found = self._answered(question)  # two of five are asked again, by another stage of the reading
        return self._keep(question, self._inner.candidates(mention, limit)) if found is None else found

    def _answered(self, question: str) -> tuple[Task, ...] | None:
        ids = self.lookups.get(question)
        return None if ids is None else tuple([self._tasks[task_id] for task_id in ids])

    def _keep_one(self, question: str, task: Task | None) -> Task | None:
        self._keep(question, (task,) if task else ())
        return task

    def _keep(self, question: str, tasks: tuple[Task, ...]) -> tuple[Task, ...]:
        self._tasks.update({task.id: task for task in tasks})
        self.lookups[question] = [task.id for task in tasks]
        return tasks


class ReplayIndex:
    """Answers recorded questions as they were answered then, and new ones from the tasks that were recorded."""

    def __init__(self, tasks: tuple[Task, ...], lookups: Lookups) -> None:
        self._lookups = lookups
        self._by_id = {task.id: task for task in tasks}
        self._memory = MemoryIndex(tasks)

    def find_by_id(self, task_id: str) -> Task | None:
        found = self._recorded(_by_id(task_id))
        return self._memory.find_by_id(task_id) if found is None else next(iter(found), None)

    def find_by_number(self, number: int) -> Task | None:
        found = self._recorded(_by_number(number))
        return self._memory.find_by_number(number) if found is None else next(iter(found), None)

    def recent(self, limit: int) -> tuple[Task, ...]:
        found = self._recorded(_recent(limit))
        return self._memory.recent(limit) if found is None else found

    def candidates(self, mention: str, limit: int) -> tuple[Task, ...]:
        found = self._recorded(_candidates(mention, limit))
        return self._memory.candidates(mention, limit) if found is None else found

    def _recorded(self, question: str) -> tuple[Task, ...] | None:
        ids = self._lookups.get(question)
        if ids is None:
            return None
        return tuple(self._by_id[task_id] for task_id in ids if task_id in self._by_id)


def read_lookups(data: Any) -> dict[str, list[str]]:
    """Recorded answers from JSON; anything else counts as none recorded."""
    if not isinstance(data, Mapping):
        return {}
    return {str(question): [str(each) for each in ids] for question, ids in data.items() if isinstance(ids, list)}


def _by_id(task_id: str) -> str:
    return f"id {task_id}"


def _by_number(number: int) -> str:
    return f"number {number}"


def _recent(limit: int) -> str:
    return f"recent {limit}"


def _candidates(mention: str, limit: int) -> str:
    return f"candidates {limit} {mention}"
