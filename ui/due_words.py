"""How near a task's day is, in words. No streamlit."""

from __future__ import annotations

from datetime import date, datetime

from engine.values import Task


def describe_due(task: Task, now: datetime) -> str:
    """How near the due date is, in words; a sign marks what is late, so that colour is not needed."""
    if task.completed:
        return "✓ done"
    if not task.due_date:
        return "–"
    days = (date.fromisoformat(task.due_date[:10]) - now.date()).days
    if days < 0:
        return f"⚠ {-days} day{'s' if days < -1 else ''} late"
    if days == 0:
        at = task.due_date[11:]
        return f"⚠ late, {at}" if at and at < f"{now:%H:%M}" else "today"
    return "tomorrow" if days == 1 else f"in {days} days"
