"""One case through one decider, as what is kept of it.

A case of several messages counts once, by the message that decided it: the first one that failed, or else the last.
What comes after a failure would be about another conversation, and messages of one conversation are no independent
cases.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from db.evaluation.run_values import ScoredCase
from domains.catalogues import find_facts, find_intent, find_target
from engine.decision import Context, Decider, Decision, Reason
from engine.domain import UNKNOWN
from engine.values import ToolCall
from evals.answers import TimedDecision, read_failure, write_answer
from evals.case import Case, ExpectedCall, Turn
from evals.evaluate.verdicts import verdict_of
from evals.evaluate.weighing import find_behind, weigh
from evals.scorers import Score, expected_calls, outcome_of, read_intent, same_value, score_turn
from evals.situation import Situation, begin, find_task, go_on

ASKS, NONE, BROKEN = "asks", "none", "broken"
"""What came of a message, beside the intents: a question, no answer, a call that no tool takes."""
Ask = Callable[[str, Context], TimedDecision]


def judge_case(ask: Ask, case: Case, position: int, key: str) -> ScoredCase:
    """Never raises for what a decider does: a failure is a result."""
    situation: Situation | None = None
    answers: list[TimedDecision] = []
    scores: tuple[Score, ...] = ()
    began = time.perf_counter()
    number = 0
    try:
        situation = begin(case)
        for number, turn in enumerate(case.turns):
            answers.append(ask(turn.text, situation.context))
            decision = answers[-1].decision
            if decision is None:
                break
            scores = score_turn(turn, decision, case, situation.tasks)
            if number == len(case.turns) - 1 or not all(score.value for score in scores):
                break
            situation = go_on(situation, turn.text, decision)
    except Exception as error:  # a bug of a decider costs its case, not the run
        answers.append(read_failure(error, (time.perf_counter() - began) * 1000))
        scores = ()
    return _write(case, number, situation, answers, scores, position, key)


def _write(
    case: Case,
    number: int,
    situation: Situation | None,
    answers: Sequence[TimedDecision],
    scores: tuple[Score, ...],
    position: int,
    key: str,
) -> ScoredCase:
    turn, last = case.turns[number], answers[-1]
    decision = last.decision
    outcome = outcome_of(decision) if decision else NONE
    verdict = verdict_of(turn, decision, scores, outcome)
    read = read_intent(decision) if decision else UNKNOWN
    behind = find_behind(decision) if decision else UNKNOWN
    return ScoredCase(
        position=position,
        key=key,
        verdict=verdict,
        passed=verdict == "right",
        label=next((each for each in (read, behind) if each in turn.intent), turn.intent[0]),
        final=find_final(decision, outcome),
        behind=behind,
        reading_right=decision is not None and verdict != "no_answer" and read in turn.intent,
        action=decision.action if decision else None,
        outcome=NONE if verdict == "no_answer" else outcome,
        confidence=decision.confidence if decision and verdict != "no_answer" else None,
        milliseconds=round(sum(each.milliseconds for each in answers) / len(answers), 3),
        signature=sign(decision),
        prompt_tokens=_total([each.prompt_tokens for each in answers]),
        answer_tokens=_total([each.answer_tokens for each in answers]),
        cost=_total([each.cost for each in answers]),
        arguments=tuple(_score_arguments(turn, decision, case, situation)) if decision and situation else (),
        weighing=weigh(turn, decision, case, situation, scores) if decision and situation else None,
        detail=_write_detail(case, number, last, scores, situation),
    )


def warm(deciders: Iterable[Decider], cases: Iterable[Case]) -> None:
    """Each language's policy is read when it is first asked for: that is no case's time."""
    first = {case.language: case for case in cases}
    for decider in deciders:
        for case in first.values():
            with suppress(Exception):  # whatever it raises, it raises again as the result of its case
                decider.decide(case.turns[0].text, begin(case).context)


def find_final(decision: Decision | None, outcome: str) -> str:
    """What came of it: an intent that is acted on or confirmed, a question, nothing. `outcome`: of `outcome_of`."""
    if decision is None or decision.reason is Reason.UNAVAILABLE:
        return NONE
    if outcome == "broken" or decision.reason is Reason.BROKEN_CALL:
        return BROKEN
    if decision.action == "clarify":
        return ASKS
    return UNKNOWN if decision.action == "reply" else decision.intent


def sign(decision: Decision | None) -> str:
    """Equal for equal decisions: the action, and the calls that it makes or asks about."""
    if decision is None:
        return NONE
    pending = decision.pending
    waiting = [pending.call.asked, *(each.asked for each in pending.then)] if pending else []
    whole = [decision.action, decision.intent, [call.asked for call in decision.calls] or waiting]
    return hashlib.sha256(json.dumps(whole, sort_keys=True, default=str).encode()).hexdigest()[:32]


def _score_arguments(
    turn: Turn, decision: Decision, case: Case, situation: Situation
) -> Iterator[tuple[str, str, bool]]:
    """Each argument that the case says something about, where a call is made, confirmed or asked about."""
    pending = decision.pending
    calls = decision.calls or ((pending.call, *pending.then) if pending else ())
    for wanted, call in zip(expected_calls(turn), calls, strict=False):
        if find_intent(call.tool_name) in wanted.intent:
            yield from _score_call(wanted, call, case, situation)


def _score_call(
    wanted: ExpectedCall, call: ToolCall, case: Case, situation: Situation
) -> Iterator[tuple[str, str, bool]]:
    intent, given = find_intent(call.tool_name), call.parameters
    for name, value in wanted.parameters.items():
        yield intent, name, same_value(value, given.get(name))
    for name in wanted.absent:
        yield intent, name, given.get(name) is None
    facts = find_facts(call.tool_name)
    if wanted.task and facts and facts.target:
        found = find_task(find_target(call) or "", situation.tasks, case.domain)
        keys = [case.keys.get(key, key) for key in wanted.task]
        titles = [key.removeprefix("new:") for key in wanted.task if key.startswith("new:")]
        yield intent, facts.target, found is not None and (found.id in keys or found.title in titles)


def _write_detail(
    case: Case, number: int, answer: TimedDecision, scores: Sequence[Score], situation: Situation | None
) -> dict[str, Any]:
    problems = [
        f"{score.aspect}: {score.answer}{f', {score.explanation}' if score.explanation else ''}"
        for score in scores
        if not score.value
    ]
    if answer.problem:
        problems.append(answer.problem)
    detail: dict[str, Any] = {"problems": problems, "answer": write_answer(answer, _context(situation, case))}
    if len(case.turns) > 1:
        detail |= {"turn": number + 1, "of": len(case.turns), "text": case.turns[number].text}
    return detail


def _context(situation: Situation | None, case: Case) -> Context:
    return situation.context if situation else begin(case).context


def _total(values: Sequence[float | int | None]) -> Any:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
