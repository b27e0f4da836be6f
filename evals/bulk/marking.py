"""An answer held against what a line says should come of it: by the same scorers and verdicts as a case of Evaluate."""

from __future__ import annotations

from functools import lru_cache

from engine.domain import UNKNOWN
from evals.bulk.values import BulkAnswer, LabelMark
from evals.case import Case, Turn
from evals.evaluate.verdicts import verdict_of
from evals.scorers import score_turn
from evals.situation import Situation

__all__ = ["LabelMark", "mark_answer"]


@lru_cache(maxsize=1024)
def _plain_case(accepted: tuple[str, ...]) -> Case:
    return Case("line", (Turn("", accepted),))


def mark_answer(
    answer: BulkAnswer, accepted: tuple[str, ...], detailed: tuple[Case, Situation] | None = None
) -> LabelMark:
    """`detailed`: where the label says more than the intent."""
    case, tasks = (detailed[0], detailed[1].tasks) if detailed else (_plain_case(accepted), ())
    turn, decision = case.turns[0], answer.decision
    scores = score_turn(turn, decision, case, tasks) if decision else ()
    verdict = verdict_of(turn, decision, scores, answer.outcome)
    read = answer.intent if decision else UNKNOWN
    label = next((each for each in (read, answer.behind) if each in turn.intent), turn.intent[0])
    return LabelMark(verdict, label, decision is not None and verdict != "no_answer" and read in turn.intent)
