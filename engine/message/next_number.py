""" "And another for room 6" after "clean room 5": of things with numbers only the number is said again."""

from __future__ import annotations

import re
from dataclasses import replace

from engine.decision import Context
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.talking.situation import read_situation
from engine.values import Provenance, ToolCall

_NUMBERED = re.compile(r"(?:^|\s)([^\W\d]+)\s+(\d+\w?)$")


def with_next_number(
    requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """What is added in going on, called like what was added last, where only the number differs."""
    facts = policy.catalogue.by_effect.get("add")
    situation = read_situation(context, policy)
    if facts is None or situation.effect != "add" or all(each.outcome.act != "continue" for each in requests):
        return requests  # most messages
    name = facts.argument("name")
    before = next((str(each.parameters.get(name) or "") for each in reversed(situation.calls)), "")
    return tuple(_renumber(each, name, before) if each.outcome.intent == facts.intent else each for each in requests)


def _renumber(request: JudgedRequest, name: str, before: str) -> JudgedRequest:
    call = request.outcome.call
    numbered = _NUMBERED.search(str(call.parameters.get(name) or "")) if call else None
    if call is None or numbered is None:
        return request
    called, number = numbered.groups()
    others = re.compile(rf"\b({re.escape(called)}\s+)\d+\w?\b", re.IGNORECASE)
    if len(others.findall(before)) != 1:
        return request
    title = others.sub(lambda found: found.group(1) + number, before)
    kept = Provenance("conversation", None, "as before, with this number")
    arguments = tuple(
        replace(each, value=title, provenance=kept) if each.name == name else each for each in call.arguments
    )
    return request._replace(outcome=request.outcome._replace(call=ToolCall(call.tool_name, arguments)))
