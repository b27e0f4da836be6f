"""The baseline is spec 1's algorithm as written, its mistakes included: they are what is measured."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains.tasks.baseline.decider import make_baseline
from engine.decision import Context, Decision, Message
from engine.targets.memory_index import MemoryIndex
from engine.values import Task

NOW = datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001 - a wall clock
TASKS = (Task("id-report", 1, "finish the report"), Task("id-milk", 2, "buy milk"))


def decide(text: str, *history: Message) -> Decision:
    return make_baseline().decide(text, Context(MemoryIndex(TASKS), NOW, history))


def test_spec_1_example_1_a_clear_add() -> None:
    decision = decide("Add a task to finish the report")
    assert (decision.action, decision.intent) == ("execute", "add_task")
    assert decision.calls[0].parameters == {"title": "finish the report"}
    assert decision.confidence == 1.0


def test_spec_1_example_2_a_list_with_a_filter() -> None:
    decision = decide("Show me my overdue tasks")
    assert (decision.action, decision.intent) == ("execute", "list_tasks")
    assert decision.calls[0].parameters == {"filter": "overdue"}
    assert decision.confidence == pytest.approx(0.7)


def test_spec_1_example_3_an_update_without_a_task_asks() -> None:
    decision = decide("Change that to high priority")
    assert (decision.action, decision.intent, decision.confidence) == ("clarify", "update_task", 0.5)
    assert "task_id" in decision.message


def test_spec_1_example_4_deleting_asks_first() -> None:
    decision = decide("Delete this task", Message("assistant", "I added task #1 for you."))
    assert (decision.action, decision.intent) == ("confirm", "delete_task")
    assert decision.calls[0].parameters == {"task_identifier": "id-report"}
    assert decision.message == "I'm about to delete this task. Is that correct?"


def test_spec_1_example_5_the_weather_is_read_as_a_list_for_it_contains_today() -> None:
    assert decide("The weather is nice today").intent == "list_tasks"
    assert decide("The weather is nice").action == "reply"


def test_substrings_count_also_within_other_words() -> None:
    assert decide("I will never forget her").intent == "list_tasks"
    assert decide("a residue on the glass").intent == "list_tasks"


def test_places_are_those_of_the_current_tasks() -> None:
    assert decide("complete the first task").calls[0].parameters == {"task_identifier": "id-report"}
    assert decide("mark the last task as done").calls[0].parameters == {"task_identifier": "id-milk"}
    assert decide("complete task #2").calls[0].parameters == {"task_identifier": "id-milk"}
    assert decide("complete task #7").action == "clarify"


def test_an_update_takes_the_new_value_after_the_last_to() -> None:
    decision = decide("change the name of task #2 to buy oat milk")
    assert decision.calls[0].parameters == {"task_identifier": "id-milk", "new_title": "buy oat milk"}


def test_the_limit_of_a_list_is_read_where_it_is_named() -> None:
    assert decide("show my tasks limit 5").calls[0].parameters == {"limit": 5}
    assert "limit" not in decide("show my tasks").calls[0].parameters


def test_a_low_confidence_asks() -> None:
    decision = decide("what is pending")
    assert (decision.action, decision.confidence) == ("clarify", 0.5)


@given(st.text(max_size=400))
def test_any_text_gives_a_decision_whose_ledger_adds_up_and_whose_spans_lie_in_the_text(text: str) -> None:
    decision = decide(text)
    assert decision == decide(text)
    assert sum(factor.amount for factor in decision.ledger) == pytest.approx(decision.confidence or 0.0)
    for score in decision.scores:
        assert all(0 <= each.span.start <= each.span.end <= len(text) for each in score.evidence)
