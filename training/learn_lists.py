"""Whether the list that a turn expects is of what is done, late or urgent, or part of the last one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from training.written import StandingTurn


def list_labels(standing: StandingTurn) -> Mapping[str, bool]:
    """By facet, whether the list that a turn expects is one; empty where it expects none."""
    expect = standing.turn.expect.outcomes[0]
    if expect.tell and not expect.show:
        return {"tells": True}
    if not expect.show:
        return {}
    shown = [task for titles in expect.show if (task := standing.store.find(titles))]
    if not shown:
        return {}
    labels = {
        "tells": False,
        "done": all(task["status"] == "completed" for task in shown),
        "late": all(_is_late(task, standing) for task in shown),
        "urgent": _are_urgent(shown, standing.store.tasks),
    }
    before = _shown_before(standing)
    ids = {str(task["id"]) for task in shown}
    if before and ids != before:
        labels["keeps"] = ids < before
    return labels


def _is_late(task: Mapping[str, Any], standing: StandingTurn) -> bool:
    due = task["due_date"] or ""
    now = standing.context.now.isoformat()
    return task["status"] == "pending" and bool(due) and due < now[: len(due)]


def _are_urgent(shown: list[dict[str, Any]], tasks: list[dict[str, Any]]) -> bool:
    others = [task for task in tasks if task["status"] == "pending" and task["priority"] != "high"]
    return bool(others) and all(task["priority"] == "high" for task in shown)


def _shown_before(standing: StandingTurn) -> set[str]:
    last = next((each for each in reversed(standing.context.history) if each.calls), None)
    return set(last.tasks) if last and last.calls[-1].tool_name == "list_tasks" else set()
