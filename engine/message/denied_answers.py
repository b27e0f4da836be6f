"""A no to what is asked, and what is wanted instead: "no, don't delete it, move it to Monday"."""

from __future__ import annotations

from dataclasses import replace

from engine.decision import Context, Pending, Reason
from engine.message.judged import is_nothing, judge_in_order
from engine.message.judged_request import JudgedRequest
from engine.outcome.yes_no import is_all
from engine.policy.values import Policy
from engine.reading.weighing import weigh_request
from engine.talking.clauses import split_clauses
from engine.text.normalise import Utterance


def count_denied(
    pending: Pending, utterance: Utterance, context: Context, policy: Policy
) -> tuple[int, tuple[Utterance, ...]] | None:
    """How many clauses at the beginning say no to what is asked; None where the first does not."""
    clauses = split_clauses(utterance, policy) if pending.kind == "confirm" else ()
    denied = next((place for place, each in enumerate(clauses) if not _denies(each, context, policy)), len(clauses))
    return (denied, clauses) if denied else None


def asks_instead(
    denied: int, clauses: tuple[Utterance, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...] | None:
    """ "no, don't delete it, move it to Monday": what was asked about is denied, and something else asked for."""
    rest = judge_in_order(clauses[denied:], replace(context, pending=None), policy)
    asked = tuple(each for each in rest if not is_nothing(each.outcome))
    return asked if asked and asks_plainly(asked) else None


def _denies(clause: Utterance, context: Context, policy: Policy) -> bool:
    """A no and nothing else, or a request that is denied."""
    words = clause.words
    guard = weigh_request(clause, context, policy).reading.guard
    return is_all(words, policy, ("no_word", "cancel_word")) or (guard is not None and guard[0] is Reason.NEGATED)


def asks_plainly(more: tuple[JudgedRequest, ...]) -> bool:
    """ "no, don't delete it, move it to Monday": what a no goes on with counts where it asks in so many words."""
    return all(
        each.outcome.action == "execute" and any(not match.frame.weak for match in each.weighed.reading.frames)
        for each in more
    )
