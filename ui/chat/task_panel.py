"""The tasks beside the chat, with what the last turn changed marked. HTML: no streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from html import escape

from db.turns import StoredTurn
from engine.values import Task
from ui.words import describe_due

MARKS = {"add_task": "added", "complete_task": "done", "update_task": "changed", "delete_task": "deleted"}


def changes_of(turn: StoredTurn | None) -> dict[str, str]:
    """Which tasks the turn changed, and how."""
    if turn is None:
        return {}
    return {
        str(result["payload"]["task_id"]): MARKS[result["tool_name"]] for result in turn.results if result["audit_id"]
    }


def panel_html(
    tasks: Sequence[Task], changed: Mapping[str, str], gone: Sequence[tuple[int, str]], total: int, now: datetime
) -> str:
    """`gone`: number and title of what the turn deleted; it stays visible, struck out, until the next turn."""
    rows = "".join(_ghost(number, title) for number, title in gone)
    rows += "".join(_row(task, changed.get(task.id, ""), now) for task in tasks)
    if not rows:
        return '<p class="tl-muted">No tasks yet. Say: add a task to buy milk.</p>'
    more = f'<p class="tl-muted tl-small">and {total - len(tasks):,} more</p>' if total > len(tasks) else ""
    head = "<thead><tr><th>#</th><th>Title</th><th>When</th></tr></thead>"
    return f'<table class="tl-tasks" aria-label="Tasks">{head}<tbody>{rows}</tbody></table>{more}'


def _row(task: Task, mark: str, now: datetime) -> str:
    label = f' <span class="tl-chip tl-mark">{mark}</span>' if mark else ""
    important = ' <span class="tl-high" title="high priority" aria-label="high priority">!</span>'
    priority = important if task.priority == "high" else ""
    classes = " ".join(name for name, on in (("tl-changed", mark), ("tl-done", task.completed)) if on)
    return (
        f'<tr class="{classes}"><td>{task.number}</td><td>{_title(task.title, priority + label)}</td>'
        f"<td>{escape(describe_due(task, now))}</td></tr>"
    )


def _ghost(number: int, title: str) -> str:
    mark = '<span class="tl-chip tl-mark">deleted</span>'
    return f'<tr class="tl-changed tl-gone"><td>{number}</td><td>{_title(title, mark)}</td><td></td></tr>'


def _title(title: str, rest: str) -> str:
    """On one line; a long title is cut, and whole in the hint."""
    return f'<div><span title="{escape(title)}">{escape(title)}</span>{rest}</div>'
