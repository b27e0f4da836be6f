"""What a call would do, in the words of a question: "add 'haircut', due Tue 10 Mar at 16:00"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.catalogue.facts import ToolFacts, base_name
from engine.decision import Context, Intent
from engine.outcome.replies import name_of, say
from engine.outcome.report import format_due
from engine.policy.values import Policy
from engine.values import ToolCall

_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_TOLD = ("name", "date", "level", "note", "words", "status")


def preview(policy: Policy, intent: Intent, call: ToolCall, context: Context) -> str:
    facts = policy.catalogue.by_name.get(call.tool_name)
    told = say(policy, f"preview_{intent}", title=name_of(call, context, policy))
    if facts is None or intent in policy.catalogue.lists:
        return told
    arguments = [name for kind in _TOLD for name, reads in facts.reads.items() if reads == kind]
    details = [_tell(name, call.parameters[name], facts, context, policy) for name in arguments
               if call.parameters.get(name) not in (None, "")]  # fmt: skip
    return told + "".join(f", {detail}" for detail in details if detail)


def preview_all(calls: Iterable[ToolCall], context: Context, policy: Policy) -> str:
    """All of them in one sentence; empty where one of them cannot be told so."""
    told = [preview(policy, policy.catalogue.intent_of(call.tool_name), call, context) for call in calls]
    return f" {say(policy, 'and')} ".join(told) if all(told) else ""


def _tell(name: str, value: object, facts: ToolFacts, context: Context, policy: Policy) -> str:
    kind = facts.reads[name]
    if kind == "date" and not _ISO_DAY.match(str(value)):
        return say(policy, f"detail_no_{base_name(name)}")  # it is taken away
    if kind == "date":
        return say(policy, f"detail_{name}", value=format_due(policy, str(value), context.now))
    if kind == "level":
        return say(policy, f"detail_{name}", value=say(policy, f"value_{value}"))
    if kind == "status":
        return say(policy, f"detail_{base_name(name)}_{value}")
    return say(policy, f"would_{name}", value=value)
