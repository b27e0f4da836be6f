"""A yes counts for what was shown: marks of things as they were when a question about them was asked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from engine.catalogue.facts import Catalogue
from engine.decision import Decision, Pending, Reason, Seen, TaskIndex
from engine.outcome.routing import ask_first
from engine.policy.values import Policy
from engine.values import ToolCall

_NOT_SHOWN = frozenset({"id", "number", "created_at", "updated_at", "completed_at"})


def mark_of(thing: Any) -> str:
    """The same for the same thing as long as nothing that people see of it changes."""
    shown = [(each.name, getattr(thing, each.name)) for each in fields(thing) if each.name not in _NOT_SHOWN]
    return hashlib.sha256(repr(shown).encode("utf-8", "replace")).hexdigest()[:16]


def with_marks(pending: Pending, tasks: TaskIndex, catalogue: Catalogue) -> Pending:
    """The question with the marks of all that it is about."""
    further = [call for each in pending.choices for call in (ToolCall(each.tool_name), *each.then)]
    calls = (pending.call, *pending.then, *further)
    targets = {catalogue.by_name[call.tool_name].target for call in calls if call.tool_name in catalogue.by_name}
    offered = [each.arguments.get(target) for each in pending.choices for target in targets if target]
    named = (*_targets(calls, catalogue), *pending.options, *(str(each) for each in offered if each))
    found = [(each, tasks.find_by_id(each)) for each in dict.fromkeys(named)]
    return replace(pending, seen=tuple(Seen(each, mark_of(thing)) for each, thing in found if thing))


def ask_anew(decision: Decision, pending: Pending | None, tasks: TaskIndex, policy: Policy) -> Decision:
    """The decision; where it says yes to something that has changed since it was shown, the question again."""
    if pending is None or decision.action != "execute" or decision.reason is not Reason.ANSWERED:
        return decision
    shown = dict(pending.seen)
    for target in _targets(decision.calls, policy.catalogue):
        thing = tasks.find_by_id(target) if target in shown else None
        if thing and mark_of(thing) != shown[target]:
            return ask_first(decision, policy, "changed_since")
    return decision


def _targets(calls: Iterable[ToolCall], catalogue: Catalogue) -> list[str]:
    return [target for call in calls if (target := catalogue.target_of(call))]
