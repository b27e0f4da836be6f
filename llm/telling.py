"""What there is to say about one task: whatever was asked, the answer is in it."""

from __future__ import annotations

from datetime import datetime

from engine.outcome.replies import say
from engine.outcome.report import spell_due
from engine.policy.values import Policy
from engine.values import Task


def tell_all(task: Task, policy: Policy, now: datetime) -> str:
    """Whether it is done, when it is due, how much it matters, and its note."""
    state = say(policy, "told_done" if task.status == policy.catalogue.states[1] else "told_open", title=task.title)
    due = spell_due(policy, task.due_date, now) if task.due_date else say(policy, "told_undated")
    level = say(policy, f"value_{task.priority}")
    parts = [state, say(policy, "told_due", value=due), say(policy, "told_level", title=task.title, value=level)]
    if task.description:
        parts.append(say(policy, "told_its_note", value=task.description))
    return " ".join(parts)
