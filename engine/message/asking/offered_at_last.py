"""What nothing understood, and yet is hardly small talk: it is offered, never done, by what was learned alone.

Every reading before this one has its reasons to let a message be, one phrase at a time. Where all of them did so in the
middle of a conversation, and everything noticed says with nine of ten that something is wanted, "I look after your
tasks" is the wrong answer: of 52 such messages on blind batches 47 were requests. What was a remark all the same costs
a no. So is "which task?", where everything together knows which.
"""

from __future__ import annotations

from engine.decision import Context, Reason
from engine.message.judged import is_nothing
from engine.message.judged_request import JudgedRequest
from engine.outcome.judging import offer
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.reading.weighing import weigh_request
from engine.talking.moves.moving import guess, share_of_nothing, weigh_moves
from engine.talking.moves.noticing import begin, notice
from engine.text.normalise import Utterance

_HARDLY_NOTHING = 0.1


def offer_at_last(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """The requests; where none was understood and no guard spoke, what they most likely come to, as a question."""
    if not context.history or not all(_is_not_understood(request.outcome, policy) for request in requests):
        return requests
    weighed = weigh_request(utterance, context, policy)
    if weighed.reading.guard:
        return requests
    noticed = notice(utterance, weighed, begin(utterance, weighed, context, policy))
    weighing = weigh_moves(noticed)
    if weighing is None or share_of_nothing(noticed, weighing) >= _HARDLY_NOTHING:
        return requests
    offered = _offered(guess(noticed, weighing) or (), context, policy)
    if not all(is_nothing(request.outcome) for request in requests) and any(not _names_one(each) for each in offered):
        return requests  # it is asked about already
    return tuple(JudgedRequest(utterance, weighed, outcome) for outcome in offered) or requests


def _is_not_understood(outcome: Outcome, policy: Policy) -> bool:
    if is_nothing(outcome):
        return outcome.reason is Reason.NOT_ABOUT_TASKS
    facts = policy.catalogue.by_intent.get(outcome.intent)
    pending = outcome.pending if outcome.reason is Reason.MISSING_PARAMETER else None
    return bool(pending and facts and facts.target and pending.kind == "fill" and pending.parameter == facts.target)


def _offered(made: tuple[Outcome, ...], context: Context, policy: Policy) -> tuple[Outcome, ...]:
    """Each as a question, if all of them change something or ask back."""
    changing = policy.catalogue.changing_tools
    if not all(
        each.call and each.call.tool_name in changing if each.action == "execute" else _asks(each) for each in made
    ):
        return ()
    return tuple(
        offer(each, each.call, context, policy) if each.call and each.action == "execute" else each for each in made
    )


def _asks(outcome: Outcome) -> bool:
    return outcome.action in ("clarify", "confirm")


def _names_one(outcome: Outcome) -> bool:
    return outcome.pending is not None and outcome.pending.kind == "confirm"
