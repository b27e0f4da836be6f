"""A task named by its title is found, however many tasks there are and however common its words."""

from __future__ import annotations

from datetime import datetime

import pytest

from benchmarks.sentences import make_tasks
from domains.deciders import load_decider
from engine.decision import Context
from engine.targets.memory_index import MemoryIndex

NOW = datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001 - a wall clock
ASKED = 40


@pytest.mark.parametrize("count", [100, 1_000, 20_000])
def test_an_exact_title_is_found_among_many(count: int) -> None:
    tasks = make_tasks(count)
    context = Context(MemoryIndex(tasks), NOW, language="en")
    decider = load_decider()
    for task in tasks[:: count // ASKED]:
        (call,) = decider.decide(f"mark {task.title} as done", context).calls
        assert call.parameters["task_identifier"] == task.id, task.title
