"""What other thresholds would have made of a message, from its decision alone: the engine need not be asked again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.decision import Decision, Reason
from engine.domain import UNKNOWN
from evals.case import Case, Turn
from evals.scorers import Score, score_turn
from evals.situation import Situation

_BY_THRESHOLD = frozenset({Reason.BELOW_THRESHOLD, Reason.NARROW_MARGIN})


def find_behind(decision: Decision) -> str:
    """The intent behind a question or refusal; for a reply the likeliest one, which may well be that of nothing."""
    if decision.intent != UNKNOWN:
        return decision.intent
    return max(decision.scores, key=lambda each: each.score).intent if decision.scores else UNKNOWN


def weigh(
    turn: Turn, decision: Decision, case: Case, situation: Situation, scores: Sequence[Score]
) -> dict[str, Any] | None:
    """What thresholds would make of the message: how sure the reading is, and whether acting on it, asking about it or
    silence would be right. None where something else than a threshold decides. `scores`: of the decision as it is."""
    limits = decision.thresholds
    if limits is None or decision.confidence is None or (decision.intent == UNKNOWN and decision.action != "reply"):
        return None
    here = {"act": limits.act, "read": limits.read}
    wants_nothing = UNKNOWN in turn.intent
    if decision.action == "reply":
        behind = find_behind(decision)
        if decision.reason is not Reason.NOT_ABOUT_TASKS or behind == UNKNOWN:
            return None
        sure = max(each.score for each in decision.scores)
        right = behind in turn.intent
        return {**here, "sure": sure, "acted": right, "asked": _may_ask(turn, right), "silent": wants_nothing}
    turnable = decision.reason in _BY_THRESHOLD or (
        decision.action == "execute" and decision.reason is Reason.MATCHED_RULE
    )
    if not turnable or not (decision.calls or decision.pending):
        return None
    if decision.action != "execute" and decision.pending:
        calls = (decision.pending.call, *decision.pending.then)
        acting = replace(decision, action="execute", calls=calls, reason=Reason.MATCHED_RULE, pending=None)
        scores = score_turn(turn, acting, case, situation.tasks)
    right = all(score.value for score in scores if score.aspect != "reason")
    reading = decision.intent in turn.intent
    asked = _may_ask(turn, reading)
    return {**here, "sure": decision.confidence, "acted": right, "asked": asked, "silent": wants_nothing}


def _may_ask(turn: Turn, reading_right: bool) -> str:
    """What a question would be: `wanted`, `needless`, or `useless` where it is about something nobody asked for."""
    if reading_right and "clarify" in turn.action:
        return "wanted"
    return "needless" if reading_right or UNKNOWN in turn.intent else "useless"
