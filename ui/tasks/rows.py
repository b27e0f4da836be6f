"""The task table as data: rows for the screen, and the tool calls that an edit of a cell means. No streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import Any

import pandas as pd

from db.tasks.tools import NO_DUE_DATE
from domains.tasks.calls import changing
from engine.text.visible import show_controls, take_marks
from engine.values import Task, ToolCall
from ui.due_words import describe_due
from ui.state.values import EditedRows

COLUMNS = ("pick", "done", "number", "title", "when", "priority", "day", "time", "description")
"""What one looks for first comes first: a small window shows as far as the priority."""
_ARGUMENTS = {"title": "new_title", "description": "new_description", "priority": "new_priority"}


def table_frame(tasks: Sequence[Task], now: datetime) -> pd.DataFrame:
    rows = [
        {
            "pick": False,
            "done": task.completed,
            "number": task.number,
            "title": show_controls(task.title),
            "when": describe_due(task, now),
            "day": date.fromisoformat(task.due_date[:10]) if task.due_date else None,
            "time": time.fromisoformat(task.due_date[11:]) if task.due_date and "T" in task.due_date else None,
            "priority": task.priority,
            "description": show_controls(task.description),
        }
        for task in tasks
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"day": "object", "time": "object"})


def picked_tasks(tasks: Sequence[Task], edits: EditedRows) -> tuple[Task, ...]:
    """The tasks whose box is ticked, in the order of the table."""
    return tuple(task for position, task in enumerate(tasks) if edits.get(position, {}).get("pick"))


def calls_for_edits(tasks: Sequence[Task], edits: EditedRows) -> list[ToolCall]:
    """One call per edited row. Cells that already hold the value give none: edits stay in the table's
    state after they were carried out."""
    calls = []
    for position, cells in sorted(edits.items()):
        if position < len(tasks):
            changes = _changes(tasks[position], cells)
            if changes:
                calls.append(changing(tasks[position].id, changes))
    return calls


def find_edit_problem(tasks: Sequence[Task], edits: EditedRows) -> str | None:
    """What was typed that no call can carry out."""
    for position, cells in edits.items():
        if position < len(tasks) and cells.get("time") and not _edited_due(tasks[position], cells):
            return f"#{tasks[position].number} needs a day before it can have a time."
    return None


def _changes(task: Task, cells: Mapping[str, Any]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for column, argument in _ARGUMENTS.items():
        value = take_marks(cells.get(column) or "")
        if column in cells and value.strip() != getattr(task, column):
            changes[argument] = value
    if cells.get("done", task.completed) != task.completed:
        changes["new_status"] = "completed" if cells["done"] else "pending"
    due = _edited_due(task, cells)
    if due != task.due_date:
        changes["new_due_date"] = due or NO_DUE_DATE
    return changes


def _edited_due(task: Task, cells: Mapping[str, Any]) -> str | None:
    """The day and the time are two cells of one value; without a day there is no time."""
    day = cells["day"] if "day" in cells else (task.due_date or "")[:10]
    at = cells["time"] if "time" in cells else (task.due_date or "")[11:]
    if not day:
        return None
    return f"{day[:10]}T{at[:5]}" if at else str(day)[:10]
