"""What is offered in place of what a message came to: of nothing, of no change at all, of what is only planned."""

from __future__ import annotations

from engine.decision import Context
from engine.message.asking.hedged_deeds import ask_where_unsure
from engine.message.asking.not_done_after_all import offer_to_open_again
from engine.message.asking.offered_at_last import offer_at_last
from engine.message.asking.other_value import offer_other_value
from engine.message.asking.planned_not_done import offer_planned_day
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.text.normalise import Utterance


def offer_instead(
    said: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """The requests, or what is offered in their place."""
    for offer in (offer_at_last, offer_other_value, offer_to_open_again):
        requests = offer(said, requests, context, policy)
    return ask_where_unsure(said.words, offer_planned_day(requests, context, policy), context, policy)
