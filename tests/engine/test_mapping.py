from __future__ import annotations

import pytest

from domains.catalogues import load_tools
from domains.tasks import mapping
from domains.tasks.mapping import INTENT_TO_TOOL, find_tool, map_intent
from domains.tasks.tools import TOOL_NAMES

TABLE = [
    ("add_task", "add_task"),
    ("list_tasks", "list_tasks"),
    ("complete_task", "complete_task"),
    ("delete_task", "delete_task"),
    ("update_task", "update_task"),
    ("identity_query", "get_user_info"),
    ("unknown", None),
]


@pytest.mark.parametrize(("intent", "tool_name"), TABLE)
def test_each_intent_of_the_table_maps_to_its_tool(intent: str, tool_name: str | None) -> None:
    assert map_intent({"intent": intent}) == {"tool_name": tool_name}


@pytest.mark.parametrize(
    "intent",
    ["invalid_intent", "ADD_TASK", "Add_Task", "ad_task", " add_task", "", None, 7, ["add_task"], "get_user_info"],
)
def test_anything_else_maps_to_no_tool(intent: object) -> None:
    assert map_intent({"intent": intent}) == {"tool_name": None}


@pytest.mark.parametrize("request_value", [None, {}, [], "add_task", {"Intent": "add_task"}])
def test_a_malformed_request_maps_to_no_tool(request_value: object) -> None:
    assert map_intent(request_value) == {"tool_name": None}


def test_the_mapping_names_every_tool_once() -> None:
    tools = [tool for tool in INTENT_TO_TOOL.values() if tool]
    assert sorted(tools) == sorted(TOOL_NAMES)


def test_a_tool_outside_the_registry_is_never_returned() -> None:
    assert [tool for tool in mapping.INTENT_TO_TOOL.values() if tool] == list(load_tools())
    assert [find_tool(intent) for intent in mapping.INTENT_TO_TOOL] == list(mapping.INTENT_TO_TOOL.values())


def test_the_mapping_cannot_be_changed_at_run_time() -> None:
    with pytest.raises(TypeError):
        INTENT_TO_TOOL["add_task"] = "delete_task"  # type: ignore[index]
