"""Scores a decision against what was expected, aspect by aspect. Every score says why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import ValidationError

from domains.catalogues import find_intent, find_target, load_all_tools
from engine.decision import Decision, Intent
from engine.values import Task, ToolCall
from evals.case import Case, ExpectedCall, Turn
from evals.situation import find_task

AnswerOutcome = Literal["call", "broken", "abstention"]


@dataclass(frozen=True, slots=True)
class Score:
    aspect: str
    """outcome, intent, action, reason, calls, arguments, target or options."""
    value: bool
    answer: str
    """What the decider did."""
    explanation: str = ""
    """What was expected; empty when it is right."""


def read_intent(decision: Decision) -> Intent:
    """What the message was read as, whatever is done about it; a mere reply has read nothing to do."""
    return "unknown" if decision.action == "reply" else decision.intent


def outcome_of(decision: Decision) -> AnswerOutcome:
    """Call, broken call and abstention apart: a call that no tool accepts is not a correct silence."""
    if any(problem_of(call) for call in decision.calls if decision.action in ("execute", "confirm")):
        return "broken"
    if decision.action in ("execute", "confirm"):
        takes_back = decision.act in ("undo", "redo")
        return "call" if decision.calls or takes_back else "broken"
    return "abstention"


def problem_of(call: ToolCall) -> str:
    """Why the tool would refuse the call; empty when it would not."""
    tool = load_all_tools().get(call.tool_name)
    if tool is None:
        return f"there is no tool {call.tool_name!r}"
    try:
        tool.arguments.model_validate(call.parameters)
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    return ""


def score_turn(turn: Turn, decision: Decision, case: Case, tasks: tuple[Task, ...]) -> tuple[Score, ...]:
    """All aspects that the case says something about. The turn passes when every score is true."""
    return tuple(_scores(turn, decision, case, tasks))


def _scores(turn: Turn, decision: Decision, case: Case, tasks: tuple[Task, ...]) -> Iterator[Score]:
    outcome = outcome_of(decision)
    problems = "; ".join(filter(None, map(problem_of, decision.calls)))
    yield Score("outcome", outcome != "broken", outcome, problems)
    read = read_intent(decision)
    yield _one_of("intent", read, turn.intent)
    if turn.action:
        yield _one_of("action", decision.action, turn.action)
    if turn.reason:
        yield _one_of("reason", decision.reason, turn.reason)
    expected = expected_calls(turn)
    if decision.action in ("execute", "confirm") or turn.calls:
        yield _one_of("calls", str(len(decision.calls)), (str(len(expected)),))
    for wanted, call in zip(expected, decision.calls, strict=False):
        yield from _score_call(wanted, call, case, tasks)
    if turn.options:
        offered = decision.pending.options if decision.pending else ()
        missing = [key for key in turn.options if case.keys[key] not in offered]
        yield Score("options", not missing, f"{len(offered)} offered", _expected(tuple(missing)) if missing else "")


def expected_calls(turn: Turn) -> tuple[ExpectedCall, ...]:
    """The calls that a message should come to, in their order; none where nothing is asked for."""
    if turn.calls:
        return turn.calls
    if turn.intent == ("unknown",):
        return ()
    return (ExpectedCall(turn.intent, turn.parameters, turn.absent, turn.task),)


def _score_call(wanted: ExpectedCall, call: ToolCall, case: Case, tasks: tuple[Task, ...]) -> Iterator[Score]:
    yield _one_of("calls", find_intent(call.tool_name), wanted.intent)
    given = call.parameters
    wrong = [name for name, value in wanted.parameters.items() if not same_value(value, given.get(name))]
    extra = [name for name in wanted.absent if given.get(name) is not None]
    said = ", ".join(f"{name}={value!r}" for name, value in given.items())
    expected = [f"{name}={wanted.parameters[name]!r}" for name in wrong] + [f"no {name}" for name in extra]
    yield Score("arguments", not expected, said, "expected " + ", ".join(expected) if expected else "")
    if wanted.task:
        target = find_task(find_target(call) or "", tasks, case.domain)
        right = target is not None and any(_is_key(target, key, case) for key in wanted.task)
        yield Score("target", right, target.title if target else "none", "" if right else _expected(wanted.task))


def _is_key(task: Task, key: str, case: Case) -> bool:
    """`new:buy milk` means the task of that title, which came up in this conversation."""
    return task.title == key.removeprefix("new:") if key.startswith("new:") else task.id == case.keys[key]


def _one_of(aspect: str, answer: str, accepted: tuple[str, ...]) -> Score:
    return Score(aspect, answer in accepted, answer, "" if answer in accepted else _expected(accepted))


def _expected(accepted: tuple[str, ...]) -> str:
    return f"expected {' or '.join(accepted)}"


def same_value(expected: object, given: object) -> bool:
    """Words are compared with their capitals, for these are the user's; only the spacing is free.

    `2026-03-02*` accepts any time of that day: "tonight" names no hour.
    """
    if isinstance(expected, list | tuple):
        return any(same_value(each, given) for each in expected)
    if isinstance(expected, str) and isinstance(given, str):
        if expected.endswith("*"):
            return given.startswith(expected[:-1])
        return " ".join(expected.split()) == " ".join(given.split())
    return expected == given and isinstance(given, bool) == isinstance(expected, bool)
