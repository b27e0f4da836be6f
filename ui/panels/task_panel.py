"""The tasks beside the chat, with what the last turn changed marked. No streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from db.turns.turns import StoredTurn
from domains.catalogues import find_facts
from engine.domain import Effect
from engine.values import Task
from ui.due_words import describe_due
from ui.templates import draw, draw_part

MARKS: dict[Effect, str] = {"add": "added", "finish": "done", "change": "changed", "remove": "deleted"}


def changes_of(turn: StoredTurn | None) -> dict[str, str]:
    """Which tasks the turn changed, and how."""
    if turn is None:
        return {}
    return {
        str(result["payload"]["task_id"]): mark_of(result["tool_name"]) for result in turn.results if result["audit_id"]
    }


def mark_of(tool_name: str) -> str:
    facts = find_facts(tool_name)
    return MARKS.get(facts.effect, "") if facts else ""


class PanelRow(NamedTuple):
    number: int
    title: str
    when: str
    mark: str
    """What the last turn did to it."""
    done: bool
    high: bool


def panel_html(
    tasks: Sequence[Task],
    changed: Mapping[str, str],
    gone: Sequence[tuple[int, str]],
    total: int,
    now: datetime,
    link: str = "/tasks",
) -> str:
    """`gone`: number and title of what the turn deleted; it stays visible, struck out, until the next turn. `link`:
    where all of them are."""
    rows = [_row_html(_row(task, changed.get(task.id, ""), now)) for task in tasks]
    return draw("panels/task_panel", "panel", gone, rows, f"{total - len(tasks):,}" if total > len(tasks) else "", link)


@lru_cache(maxsize=4000)
def _row_html(row: PanelRow) -> str:
    """Kept: a message changes one row of those that are shown."""
    return draw_part("panels/task_panel", "row", row)


def _row(task: Task, mark: str, now: datetime) -> PanelRow:
    return PanelRow(task.number, task.title, describe_due(task, now), mark, task.completed, task.priority == "high")
