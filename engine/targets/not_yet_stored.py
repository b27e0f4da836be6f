"""Things that a message adds, in reach of what it says next: "add buy stamps and make it high priority"."""

from __future__ import annotations

from engine.decision import TaskIndex
from engine.values import Task


class WithNewThings:
    """The tasks in reach, and those that will be there once what was said before is done. Only "it" can mean one of
    those: by its name it is not known yet, so nobody looks it up in vain among the stored ones."""

    def __init__(self, inner: TaskIndex, new: tuple[Task, ...]) -> None:
        self._inner = inner
        self._new = {task.id: task for task in new}

    def find_by_id(self, task_id: str) -> Task | None:
        return self._new.get(task_id) or self._inner.find_by_id(task_id)

    def find_by_number(self, number: int) -> Task | None:
        return self._inner.find_by_number(number)

    def recent(self, limit: int) -> tuple[Task, ...]:
        return (*reversed(self._new.values()), *self._inner.recent(limit))[:limit]

    def candidates(self, mention: str, limit: int) -> tuple[Task, ...]:
        return self._inner.candidates(mention, limit)
