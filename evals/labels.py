"""A decision as what a case expects: one that was made, or whichever of two that are both right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domains.catalogues import find_facts, find_intent
from engine.decision import Decision, Reason
from engine.values import ToolCall


def expectation_of(decision: Decision) -> dict[str, Any]:
    """The decision as it is, as what a test expects."""
    intent = "unknown" if decision.action == "reply" else decision.intent
    expected: dict[str, Any] = {"intent": intent, "action": decision.action, "reason": str(decision.reason)}
    calls = [_expected_call(call) for call in decision.calls]
    if len(calls) > 1:
        return {**expected, "calls": calls}
    return {**(calls[0] if calls else {}), **expected}


def label_of(decisions: Sequence[Decision]) -> dict[str, Any] | None:
    """What a message should come to, from the decisions about it that are right. None where no case can say it.

    Without the reason: another decider may do the same for another one.
    """
    labels = [_label(decision) for decision in decisions if decision.reason is not Reason.BROKEN_CALL]
    if len(labels) < 2:
        return labels[0] if labels else None
    first, second = labels
    calls = [len(decision.calls) for decision in decisions]
    if calls[0] and calls[1] and calls[0] != calls[1]:
        return None  # "one call or two" is nothing that a case can expect
    if max(calls) > 1:
        either = [
            _either(one, other) for one, other in zip(first.get("calls", ()), second.get("calls", ()), strict=False)
        ]
        one_sided = first.get("calls") or second.get("calls")
        return {**_either(_outer(first), _outer(second)), "calls": either or one_sided}
    if 0 in calls:  # only one of them calls anything, and if a call is made, it must be that one
        details = {name: value for label in labels for name, value in label.items() if name in ("task", "parameters")}
        return {**_either(_outer(first), _outer(second)), **details}
    return _either(first, second)


def _label(decision: Decision) -> dict[str, Any]:
    label = expectation_of(decision)
    del label["reason"]
    if decision.reason is Reason.MODEL_REPLIED:
        del label["action"]  # a model asks back in plain words: whether it does, nobody can tell
    return label


def _outer(label: Mapping[str, Any]) -> dict[str, Any]:
    return {name: label[name] for name in ("intent", "action") if name in label}


def _either(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """What both name, with the values of both; what only one names does not matter, then."""
    shared = {name: (first[name], second[name]) for name in first if name in second}
    both: dict[str, Any] = {name: _values(*pair) for name, pair in shared.items() if name != "parameters"}
    one, other = first.get("parameters", {}), second.get("parameters", {})
    parameters = {name: _values(one[name], other[name]) for name in one if name in other}
    return {**both, **({"parameters": parameters} if parameters else {})}


def _values(first: object, second: object) -> object:
    return first if first == second else [first, second]


def _expected_call(call: ToolCall) -> dict[str, Any]:
    parameters = dict(call.parameters)
    facts = find_facts(call.tool_name)
    target = parameters.pop(facts.target, None) if facts else None
    return without_empty({"intent": find_intent(call.tool_name), "task": target, "parameters": parameters})


def without_empty(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in (None, "", [], {})}
