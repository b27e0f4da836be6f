"""What is wrong with a decision, in one word: each failed case has exactly one verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from engine.decision import Decision, Reason
from evals.case import Turn
from evals.scorers import Score

Verdict = Literal[
    "right", "wrong_tool", "wrong_arguments", "acted_unasked", "asked_needlessly", "silent", "broken_call",
    "no_answer", "other_reason",
]  # fmt: skip
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
SCORING = 1
"""Counts up when the same decision may get another verdict: runs of another scoring cannot be compared."""
VERDICT_WORDS: dict[Verdict, tuple[str, str]] = {
    "right": ("Right", "Everything that the case says came true."),
    "wrong_tool": ("Wrong tool", "Another tool was called, or another request was asked about."),
    "wrong_arguments": (
        "Wrong arguments",
        "The right tool, with a wrong or missing argument, target or number of calls.",
    ),
    "acted_unasked": (
        "Acted unasked",
        "It acted where nothing was asked for, or without the question that should have come first.",
    ),
    "asked_needlessly": ("Asked needlessly", "It asked back where it could act, or where nothing was asked for."),
    "silent": ("Silent", "There was a request, and it saw none."),
    "broken_call": ("Broken call", "It asked for a call that no tool takes."),
    "no_answer": ("No answer", "The decider failed, or its endpoint gave no answer."),
    "other_reason": (
        "Other reason",
        "It did what was wanted for another reason, or offered other things to choose from.",
    ),
}
"""How people call each, and what it means."""

_CALLS = frozenset({"calls", "arguments", "target"})


def verdict_of(turn: Turn, decision: Decision | None, scores: Sequence[Score], outcome: str) -> Verdict:
    """`outcome`: of `evals.scorers.outcome_of`."""
    if decision is None or decision.reason is Reason.UNAVAILABLE:
        return "no_answer"
    if all(score.value for score in scores):
        return "right"
    if outcome == "broken" or decision.reason is Reason.BROKEN_CALL:
        return "broken_call"
    wrong = {score.aspect for score in scores if not score.value}
    if "intent" in wrong:
        return _misread(turn, decision)
    if "action" in wrong:
        return "acted_unasked" if decision.action == "execute" else _did_less(decision)
    return "wrong_arguments" if wrong & _CALLS else "other_reason"


def _misread(turn: Turn, decision: Decision) -> Verdict:
    if decision.action == "reply":
        return "silent"
    if "unknown" not in turn.intent:
        return "wrong_tool"
    return "acted_unasked" if decision.action == "execute" else "asked_needlessly"


def _did_less(decision: Decision) -> Verdict:
    return "silent" if decision.action == "reply" else "asked_needlessly"
