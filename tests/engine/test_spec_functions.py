"""The functions of specs 1 and 2, with their tables of examples."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from domains.tasks.spec_functions import (
    MappedCall,
    MappedIntent,
    detect_intent_and_extract_params,
    map_user_input_to_tool,
)

TASKS = [
    {"id": "task-122", "title": "water the plants"},
    {"id": "task-123", "title": "finish the report"},
]
HISTORY = [{"role": "assistant", "content": "I've added 'finish the report' to your tasks."}]


def map_message(text: str, history: list[dict[str, Any]] = HISTORY) -> MappedCall | None:
    return asyncio.run(map_user_input_to_tool(text, history, TASKS))


@pytest.mark.parametrize(
    ("said", "tool_name", "params"),
    [
        ("Please add a task to buy groceries.", "add_task", {"title": "buy groceries"}),
        ("Can you list my completed tasks?", "list_tasks", {"status": "completed"}),
        ("Complete task 'TASK-789'.", "complete_task", {"task_id": "TASK-789"}),
        ("Delete task 'ABC-123'.", "delete_task", {"task_id": "ABC-123"}),
        # The spec's own table leaves the title out as a simplification; the engine has it.
        (
            "Update task 'DEF-456' title to 'Read a book'.",
            "update_task",
            {"task_id": "DEF-456", "title": "Read a book"},
        ),
        ("Just add a task.", "add_task", {}),
    ],
)
def test_spec_2_suggests_the_tool_with_what_the_words_say(said: str, tool_name: str, params: dict[str, str]) -> None:
    suggestion = detect_intent_and_extract_params(said, "user-7")
    assert suggestion == {"tool_name": tool_name, "params": {"user_id": "user-7", **params}}


def test_spec_2_suggests_nothing_for_a_joke() -> None:
    assert detect_intent_and_extract_params("Tell me a joke.", "user-7") is None


def test_spec_1_adds_with_the_default_priority() -> None:
    call = map_message("Add a task to finish the report")
    assert call is not None
    assert (call.intent, call.tool_name) == (MappedIntent.ADD, "add_task")
    assert call.parameters == {"title": "finish the report", "priority": "medium"}
    assert call.confidence >= 0.7


def test_spec_1_lists_with_filters() -> None:
    call = map_message("Show me my overdue tasks")
    assert call is not None
    assert call.parameters == {"filters": {"status": "overdue"}}


def test_spec_1_updates_the_task_talked_about() -> None:
    call = map_message("Change that to high priority")
    assert call is not None
    assert call.parameters == {"task_id": "task-123", "priority": "high"}


def test_spec_1_asks_which_task_without_a_conversation() -> None:
    call = map_message("Change that to high priority", [])
    assert call is not None
    assert call.tool_name == ""
    assert call.clarification_needed


def test_spec_1_deletes_only_after_a_yes() -> None:
    call = map_message("Delete this task")
    assert call is not None
    assert call.requires_confirmation
    assert call.parameters == {"task_id": "task-123"}


@pytest.mark.parametrize("said", ["The weather is nice today", "Tell me a joke.", "thanks, you're great"])
def test_spec_1_maps_small_talk_to_nothing(said: str) -> None:
    assert map_message(said) is None


@pytest.mark.parametrize(
    ("said", "intent"),
    [
        ("creat a task", MappedIntent.ADD),
        ("get my todos", MappedIntent.LIST),
        ("check it off", MappedIntent.COMPLETE),
        ("Create a task and show me my list", MappedIntent.ADD),
    ],
)
def test_spec_1_reads_typos_and_colloquial_words(said: str, intent: MappedIntent) -> None:
    call = map_message(said)
    assert call is not None
    assert call.intent is intent
