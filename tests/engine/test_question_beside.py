"""A question about a task is answered with the task shown, also where the rest of the message asks for nothing."""

from __future__ import annotations

from datetime import datetime

import pytest

from domains.deciders import load_decider
from engine.decision import Context
from engine.targets.memory_index import MemoryIndex
from engine.values import Task

NOW = datetime(2026, 3, 4, 10)  # noqa: DTZ001 - a person's own clock
TASKS = (Task("a", 1, "Finish the quarterly report"), Task("b", 2, "Call the dentist", due_date="2026-03-06"))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("is the quarterly report done? could you even take tasks from my calendar?", "still open"),
        ("when is the dentist? can you read my mail?", "Call the dentist"),
        ("is the quarterly report done? if only it were", "still open"),
    ],
)
def test_what_is_answered_is_shown(text: str, answer: str) -> None:
    decision = load_decider().decide(text, Context(MemoryIndex(TASKS), NOW))
    assert decision.action == "execute"
    assert [call.tool_name for call in decision.calls] == ["list_tasks"]
    assert answer in decision.message
