"""Lists of a stretch of days, and of what has no date."""

from __future__ import annotations

from datetime import datetime

import pytest

from domains.deciders import make_engine
from engine.decision import Context
from engine.targets.memory_index import MemoryIndex

NOW = datetime(2026, 3, 3, 10, 15)  # noqa: DTZ001 - a person's own clock, a Tuesday


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("show my tasks for next week", "2026-03-09/2026-03-15"),
        ("what tasks do I have next month?", "2026-04-01/2026-04-30"),
        ("show my tasks for the weekend", "2026-03-07/2026-03-08"),
        ("show my tasks without a date", "none"),
        ("which tasks have no due date?", "none"),
        ("mostrami le attività della prossima settimana", "2026-03-09/2026-03-15"),
        ("mostrami le attività senza scadenza", "none"),
        ("show my tasks for friday", "2026-03-06"),
    ],
)
def test_a_list_is_narrowed_to(text: str, due: str) -> None:
    (call,) = make_engine().decide(text, Context(MemoryIndex(()), NOW)).calls
    assert (call.tool_name, call.parameters.get("due")) == ("list_tasks", due)
