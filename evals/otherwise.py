"""Two decisions about the same message: whether the second is another one, and in which way."""

from __future__ import annotations

from typing import Literal, get_args

from engine.decision import Decision
from engine.explaining.agreement import compare

Sort = Literal["now_acts", "no_longer_acts", "another_call", "another_answer"]
SORTS: tuple[Sort, ...] = get_args(Sort)


def is_otherwise(before: Decision, after: Decision) -> bool:
    """Another action, intent, reason or call. Another confidence or wording alone is not another decision."""
    if (before.action, before.intent, before.reason) != (after.action, after.intent, after.reason):
        return True
    return compare(before, after).kind not in ("agree", "both_silent")


def sort_change(before: Decision, after: Decision) -> Sort:
    acted, acts = before.action == "execute", after.action == "execute"
    if acted != acts:
        return "now_acts" if acts else "no_longer_acts"
    return "another_call" if compare(before, after).differences else "another_answer"
