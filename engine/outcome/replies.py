"""What is said to the user: the policy's own sentences, filled in."""

from __future__ import annotations

from engine.decision import Context, Intent
from engine.policy.values import Policy
from engine.values import ToolCall

_SHOWN_CHOICES = 5


def say(policy: Policy, key: str, **values: object) -> str:
    """The policy's sentence for `key`. A policy without it stays silent rather than failing."""
    template = policy.replies.get(key, "")
    return template.format(**values) if template else ""


def choices(context: Context, task_ids: tuple[str, ...], policy: Policy) -> str:
    """ "'Buy milk' (#2) or 'Buy bread' (#5)"."""
    tasks = [task for task in map(context.tasks.find_by_id, task_ids[:_SHOWN_CHOICES]) if task]
    names = [f"'{task.title}' (#{task.number})" for task in tasks]
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {policy.replies.get('or', 'or')} {names[-1]}"


def name_of(call: ToolCall, context: Context, policy: Policy) -> str:
    """What a call is about: the name of something new, or of what it names."""
    facts = policy.catalogue.by_name.get(call.tool_name)
    if facts is None:
        return ""
    if facts.effect == "add":
        return str(call.parameters.get(facts.argument("name")) or "")
    target = context.tasks.find_by_id(str(call.parameters.get(facts.target, ""))) if facts.target else None
    return target.title if target else ""


def doing(policy: Policy, intent: Intent, call: ToolCall, context: Context) -> str:
    return say(policy, f"doing_{intent}", title=name_of(call, context, policy))
