"""What a line of a comparison should come to, and whether a decision does."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import ValidationError

from domains.loading import load_domain
from engine.decision import Context, Decision
from engine.domain import UNKNOWN
from evals.case import Case, Turn
from evals.scorers import score_turn

_NOTHING = ("unknown", "nothing", "nothing to do", "none", "null", "no call", "-", "–")
_MOST_THINGS = 10_000
_FIELDS = ("intent", "action", "parameters", "absent", "task", "calls")


class ExpectationError(ValueError):
    """What is written there is nothing that could be expected."""


def read_expected(value: object, domain: str) -> dict[str, Any] | None:
    """As a case says it, from a cell or a JSON line: an intent, its tool, its label ("Add a task"), "nothing"; or an
    object with `intent` and what else matters. None: nothing is expected."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, str):
        intent = _names(domain).get(" ".join(value.casefold().split()))
        if intent is None:
            raise ExpectationError(f"“{value.strip()[:40]}” is nothing that could be expected; say {_choices(domain)}")
        return {"intent": intent}
    if not isinstance(value, Mapping) or "intent" not in value:
        raise ExpectationError("what is expected must be a name, or an object with an intent")
    said = {name: value[name] for name in _FIELDS if value.get(name) not in (None, "", [], {})}
    try:
        turn = Turn(say="", **said)
    except (ValidationError, TypeError):
        raise ExpectationError("what is expected does not have the form of a case") from None
    strange = [intent for intent in turn.intent if intent not in load_domain(domain).catalogue.intents]
    if strange:
        raise ExpectationError(f"there is no intent “{strange[0]}”; say {_choices(domain)}")
    return said


def find_expected(text: str, domain: str) -> dict[str, Any] | None:
    """The same for text that may be anything: None where it names nothing that could be expected."""
    intent = _names(domain).get(" ".join(text.casefold().split()))
    return {"intent": intent} if intent else None


def judge_expected(
    expected: Mapping[str, Any], text: str, decision: Decision | None, context: Context, domain: str
) -> tuple[str, ...]:
    """What is wrong, one line each; nothing: it is right."""
    if decision is None:
        return ("no answer",)
    tasks = context.tasks.recent(_MOST_THINGS) if _names_things(expected) else ()
    try:
        turn = Turn(say=text, **expected)
        case = Case(id="line", turns=(turn,), keys={task.id: task.id for task in tasks}, domain=domain)
        scores = score_turn(turn, decision, case, tuple(tasks))
    except (KeyError, ValidationError):  # it names something that is not in reach
        return ("target: what is expected is not there",)
    wrong = [score for score in scores if not score.value]
    told = [f"{each.aspect}: {each.answer}{f', {each.explanation}' if each.explanation else ''}" for each in wrong]
    if not told and _only_asks(turn, decision):
        told.append(f"action: {decision.action}, expected a call")
    return tuple(told)


def _only_asks(expected: Turn, decision: Decision) -> bool:
    """Who writes "Complete a task" and no more wants that call: a question about it is none."""
    asks = decision.action == "clarify" or not decision.calls
    return asks and not (expected.action or expected.calls or UNKNOWN in expected.intent)


def _names_things(expected: Mapping[str, Any]) -> bool:
    return bool(expected.get("task") or any(call.get("task") for call in expected.get("calls") or ()))


@cache
def _names(domain: str) -> Mapping[str, str]:
    tools = load_domain(domain).catalogue.tools
    named = {name.casefold(): facts.intent for facts in tools for name in (facts.intent, facts.name, facts.label)}
    return {**named, **dict.fromkeys(_NOTHING, UNKNOWN)}


def _choices(domain: str) -> str:
    return ", ".join([*(facts.label for facts in load_domain(domain).catalogue.tools), "or Nothing"])
