"""The examples of spec 3: an intent's name in, a tool's name out."""

from __future__ import annotations

import pytest

from engine.mapping import find_tool, map_intent

EXAMPLES: list[tuple[object, str | None]] = [
    ("add_task", "add_task"),
    ("list_tasks", "list_tasks"),
    ("complete_task", "complete_task"),
    ("delete_task", "delete_task"),
    ("update_task", "update_task"),
    ("identity_query", "get_user_info"),
    ("unknown", None),
    ("invalid_intent", None),
    ("ADD_TASK", None),
    ("ad_task", None),
    ("", None),
    (None, None),
]


@pytest.mark.parametrize(("intent", "tool_name"), EXAMPLES)
def test_an_intent_leads_to_exactly_one_tool_or_to_none(intent: object, tool_name: str | None) -> None:
    assert find_tool(intent) == tool_name
    assert map_intent({"intent": intent}) == {"tool_name": tool_name}
    assert map_intent({"intent": intent}) == map_intent({"intent": intent})


@pytest.mark.parametrize("malformed", [None, {}, [], "add_task", 7])
def test_malformed_input_maps_to_null(malformed: object) -> None:
    assert map_intent(malformed) == {"tool_name": None}
