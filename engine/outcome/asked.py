"""What an open question is about, and how much of a yes it needs."""

from __future__ import annotations

from engine.decision import Context, Pending
from engine.policy.values import Policy
from engine.values import Task


def name_of(pending: Pending, context: Context, policy: Policy) -> str:
    """What the thing that is asked about is called."""
    target = policy.catalogue.target_of(pending.call) if pending.call else None
    task = context.tasks.find_by_id(target) if target else None
    return task.title if isinstance(task, Task) else ""


def needs_yes(pending: Pending, policy: Policy) -> bool:
    facts = policy.catalogue.by_intent.get(pending.intent)
    return facts is not None and facts.needs_yes
