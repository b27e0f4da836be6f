"""Remarks, after each kind of thing that can be done: none of them changes anything."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
import yaml

from domains.deciders import make_engine
from engine.decision import Context, Message
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call

NOW = datetime(2026, 10, 22, 9)  # noqa: DTZ001 - a wall clock, as the Context has it, on a Thursday
_REMARKS = yaml.safe_load((Path(__file__).parent / "remarks.yaml").read_text("utf-8"))
_TASKS = {
    "en": (
        Task("1", 1, "Pick up the dry cleaning", due_date="2026-10-23"),
        Task("2", 2, "Dentist", due_date="2026-10-23T09:30"),
        Task("3", 3, "Walk the dog"),
        Task("4", 4, "Parents evening", due_date="2026-10-29T18:00"),
    ),
    "it": (
        Task("1", 1, "Ritirare la giacca", due_date="2026-10-23"),
        Task("2", 2, "Dentista", due_date="2026-10-23T09:30"),
        Task("3", 3, "Portare fuori il cane"),
        Task("4", 4, "Riunione di classe", due_date="2026-10-29T18:00"),
    ),
}
_DONE = {
    "nothing": (),
    "added": (("add_task", {"title": "Dentist", "due_date": "2026-10-23T09:30"}), ("2",)),
    "changed": (("update_task", {"task_identifier": "2", "new_due_date": "2026-10-23T09:30"}), ("2",)),
    "finished": (("complete_task", {"task_identifier": "3"}), ("3",)),
    "listed": (("list_tasks", {"due": "this_week"}), ("1", "2")),
}


def _after(done: tuple[tuple[str, dict[str, object]], tuple[str, ...]] | tuple[()]) -> Iterator[Message]:
    if done:
        (tool, values), tasks = done
        yield Message("user", "…")
        yield Message("assistant", "…", tasks, (make_call(tool, values, "rules"),))


@pytest.mark.parametrize("done", _DONE)
@pytest.mark.parametrize("language", _REMARKS)
def test_a_remark_changes_nothing(language: str, done: str) -> None:
    engine, history = make_engine(), tuple(_after(_DONE[done]))
    context = Context(MemoryIndex(_TASKS[language]), NOW, history, language=language)
    changed = {
        remark: [(call.tool_name, call.parameters) for call in calls]
        for remark in _REMARKS[language]
        if (calls := [call for call in engine.decide(remark, context).calls if call.tool_name != "list_tasks"])
    }
    assert changed == {}
