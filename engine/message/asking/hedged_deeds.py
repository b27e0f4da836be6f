""" "I think I emailed the tutor already, but I can't swear to it", "mi sa che l'ho pagata": who is not sure that it is
done is asked, and nothing is ticked off."""

from __future__ import annotations

from engine.decision import Context
from engine.message.clauses_together import effect_of
from engine.message.judged_request import JudgedRequest
from engine.outcome.judging import offer
from engine.policy.values import Policy

_HEDGES = "not_sure"


def ask_where_unsure(
    words: tuple[str, ...], requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """The requests, each that ticks something off as a question, where the message says that it may not be so."""
    if not policy.lexicon.says(_HEDGES, words):
        return requests  # nearly always
    return tuple(_asked(each, context, policy) for each in requests)


def _asked(request: JudgedRequest, context: Context, policy: Policy) -> JudgedRequest:
    outcome = request.outcome
    ticks_off = outcome.action == "execute" and effect_of(request, policy) == "finish"
    if not ticks_off or outcome.call is None:
        return request
    return request._replace(outcome=offer(outcome, outcome.call, context, policy))
