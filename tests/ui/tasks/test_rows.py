"""The table as data: what a row shows, and which call an edited cell means."""

from __future__ import annotations

from typing import Any

import pytest

from engine.values import Task
from tests.conftest import NOW
from ui.due_words import describe_due
from ui.tasks.rows import COLUMNS, calls_for_edits, find_edit_problem, picked_tasks, table_frame

TASK = Task("id-1", 1, "Buy milk", "two litres", "high", "pending", "2026-03-09T18:30")
PLAIN = Task("id-2", 2, "Someday")


def test_a_row_shows_day_and_time_apart() -> None:
    frame = table_frame([TASK, PLAIN], NOW)
    assert tuple(frame.columns) == COLUMNS
    assert str(frame.loc[0, "day"]) == "2026-03-09"
    assert str(frame.loc[0, "time"]) == "18:30:00"
    assert frame.loc[1, "day"] is None


def test_an_empty_table_keeps_its_columns() -> None:
    assert tuple(table_frame([], NOW).columns) == COLUMNS


@pytest.mark.parametrize(
    ("due", "words"),
    [
        (None, "–"),
        ("2026-03-01", "⚠ 3 days late"),
        ("2026-03-03", "⚠ 1 day late"),
        ("2026-03-04", "today"),
        ("2026-03-04T09:59", "⚠ late, 09:59"),
        ("2026-03-04T10:01", "today"),
        ("2026-03-05", "tomorrow"),
        ("2026-03-14T08:00", "in 10 days"),
    ],
)
def test_when_says_how_near_the_due_date_is(due: str | None, words: str) -> None:
    assert describe_due(Task("x", 1, "x", due_date=due), NOW) == words


def test_a_done_task_is_not_late() -> None:
    assert describe_due(Task("x", 1, "x", status="completed", due_date="2026-01-01"), NOW) == "✓ done"


@pytest.mark.parametrize(
    ("cells", "arguments"),
    [
        ({"title": "Buy tea"}, {"new_title": "Buy tea"}),
        ({"title": None}, {"new_title": ""}),
        ({"description": ""}, {"new_description": ""}),
        ({"description": None}, {"new_description": ""}),
        ({"priority": "low"}, {"new_priority": "low"}),
        ({"done": True}, {"new_status": "completed"}),
        ({"day": "2026-03-10"}, {"new_due_date": "2026-03-10T18:30"}),
        ({"day": "2026-03-10T00:00:00"}, {"new_due_date": "2026-03-10T18:30"}),
        ({"time": "08:15:00.000"}, {"new_due_date": "2026-03-09T08:15"}),
        ({"time": None}, {"new_due_date": "2026-03-09"}),
        ({"day": None}, {"new_due_date": "none"}),
        ({"title": "Buy tea", "done": True}, {"new_title": "Buy tea", "new_status": "completed"}),
    ],
)
def test_an_edited_row_is_one_call(cells: dict[str, Any], arguments: dict[str, str]) -> None:
    (call,) = calls_for_edits([PLAIN, TASK], {1: cells})
    assert call.tool_name == "update_task"
    assert call.parameters == {"task_identifier": "id-1", **arguments}
    assert {argument.provenance.source for argument in call.arguments} == {"person"}


@pytest.mark.parametrize(
    "cells",
    [{}, {"pick": True}, {"title": "Buy milk"}, {"title": " Buy milk "}, {"done": False}, {"day": "2026-03-09"}],
)
def test_a_cell_that_already_holds_the_value_means_no_call(cells: dict[str, Any]) -> None:
    assert calls_for_edits([TASK], {0: cells}) == []


def test_a_time_without_a_day_is_said_to_need_one() -> None:
    edits = {0: {"time": "08:00:00"}}
    assert calls_for_edits([PLAIN], edits) == []
    assert find_edit_problem([PLAIN], edits) == "#2 needs a day before it can have a time."
    assert find_edit_problem([TASK], edits) is None


def test_edits_of_rows_that_are_gone_are_left_alone() -> None:
    assert calls_for_edits([TASK], {5: {"title": "x"}}) == []


def test_picked_tasks_come_in_the_order_of_the_table() -> None:
    assert picked_tasks([PLAIN, TASK], {1: {"pick": True}, 0: {"pick": True}}) == (PLAIN, TASK)
    assert picked_tasks([PLAIN, TASK], {1: {"pick": False}}) == ()
