"""What is asked for in place of what is denied: "don't delete X, finish Y instead"."""

from __future__ import annotations

from engine.decision import Context, Reason
from engine.message.judged import acts, is_scrap, judge_in_order, points
from engine.message.judged_request import JudgedRequest
from engine.outcome.answers import is_fresh_request
from engine.policy.values import Policy
from engine.reading.weighing import Weighed
from engine.talking.ways.denying import split_denied
from engine.text.normalise import Utterance


def read_after_denial(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...] | None:
    """The requests that are not denied, where all that was read is."""
    if not all(_is_denied(each.weighed) for each in requests):
        return None
    split = split_denied(utterance, context, policy)
    if split is None:
        return None
    read = judge_in_order(split.asked, split.context, policy)
    if split.unclear and any(points(each) or not acts(each.outcome) for each in read):
        return None
    asks = all(each.outcome.action != "reply" and not each.weighed.reading.guard for each in read)
    plain = split.contrasts or all(is_fresh_request(each.weighed) or _names_stored(each) for each in read)
    return read if asks and plain and not any(is_scrap(each, policy) for each in read) else None


def _is_denied(weighed: Weighed) -> bool:
    return weighed.reading.guard is not None and weighed.reading.guard[0] is Reason.NEGATED


def _names_stored(request: JudgedRequest) -> bool:
    """Whether it acts on something that it names itself: not "don't delete the fence, the roof"."""
    outcome = request.outcome
    return bool(request.weighed.reading.frames) and any(reference.task_id for reference in outcome.references)
