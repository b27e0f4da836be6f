"""Runs cases through any decider. One failing case never ends a run: an exception becomes part of the result."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from engine.decision import Action, Decider, Decision, Intent
from evals.case import Case
from evals.scorers import AnswerOutcome, Score, outcome_of, read_intent, score_turn
from evals.situation import Situation, begin, go_on

ReportProgress = Callable[[int, int], None]
"""Called with the number done and the number of all."""


@dataclass(frozen=True, slots=True)
class MessageReading:
    """What one decider read in one message: all that a report needs to know of it."""

    id: str
    text: str
    language: str
    group: str
    """The case file or the public source that it comes from."""
    accepted: tuple[str, ...]
    """The intents that count as right; the first one is the label."""
    read: Intent
    action: Action
    confidence: float | None
    outcome: AnswerOutcome

    @property
    def right(self) -> bool:
        return self.read in self.accepted

    @property
    def needs_no_tool(self) -> bool:
        return self.accepted == ("unknown",)


@dataclass(frozen=True, slots=True)
class TurnResult:
    text: str
    decision: Decision
    scores: tuple[Score, ...]
    reading: MessageReading
    elapsed_us: float

    @property
    def passed(self) -> bool:
        return all(score.value for score in self.scores)


@dataclass(frozen=True, slots=True)
class CaseResult:
    case: Case
    turns: tuple[TurnResult, ...]
    """As far as it came: after a turn that fails, the rest would be about another conversation."""
    error: str = ""
    """The traceback's last lines when the decider raised."""

    @property
    def passed(self) -> bool:
        return not self.error and len(self.turns) == len(self.case.turns) and all(turn.passed for turn in self.turns)

    @property
    def problems(self) -> tuple[str, ...]:
        """One line per thing that is wrong."""
        wrong = [
            f"{score.aspect}: {score.answer}{f', {score.explanation}' if score.explanation else ''}"
            for turn in self.turns
            for score in turn.scores
            if not score.value
        ]
        return (*wrong, self.error) if self.error else tuple(wrong)


def run_cases(
    decider: Decider, cases: Sequence[Case], progress: ReportProgress | None = None
) -> tuple[CaseResult, ...]:
    results = []
    for done, case in enumerate(cases, start=1):
        results.append(run_case(decider, case))
        if progress:
            progress(done, len(cases))
    return tuple(results)


def run_case(decider: Decider, case: Case) -> CaseResult:
    turns: list[TurnResult] = []
    try:
        situation = begin(case)
        for number in range(len(case.turns)):
            turns.append(_run_turn(decider, situation, number))
            if not turns[-1].passed or number + 1 == len(case.turns):
                break
            situation = go_on(situation, turns[-1].text, turns[-1].decision)
    except Exception as error:
        # A bug in the decider is a result here: the other cases still say something.
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{last.filename.rpartition('/')[2]}:{last.lineno}"
        return CaseResult(case, tuple(turns), f"{type(error).__name__}: {error} ({place})")
    return CaseResult(case, tuple(turns))


def readings(results: Iterable[CaseResult]) -> tuple[MessageReading, ...]:
    return tuple(turn.reading for result in results for turn in result.turns)


def make_reading(
    decision: Decision, *, reading_id: str, text: str, language: str, group: str, accepted: tuple[str, ...]
) -> MessageReading:
    return MessageReading(
        id=reading_id,
        text=text,
        language=language,
        group=group,
        accepted=accepted,
        read=read_intent(decision),
        action=decision.action,
        confidence=decision.confidence,
        outcome=outcome_of(decision),
    )


def _run_turn(decider: Decider, situation: Situation, number: int) -> TurnResult:
    case, turn = situation.case, situation.case.turns[number]
    start = time.perf_counter_ns()
    decision = decider.decide(turn.text, situation.context)
    elapsed_us = (time.perf_counter_ns() - start) / 1000
    reading = make_reading(
        decision,
        reading_id=case.id if len(case.turns) == 1 else f"{case.id}/{number + 1}",
        text=turn.text,
        language=case.language,
        group=case.source.rpartition(":")[0],
        accepted=turn.intent,
    )
    return TurnResult(turn.text, decision, score_turn(turn, decision, case, situation.tasks), reading, elapsed_us)
