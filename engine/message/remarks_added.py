"""A remark that the whole message would add as well: in "I was packing the plates and ran out of tape, put down buy
tape" the plates are no further thing to do, although a word for adding holds for all that stands around it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.message.judged import acts
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy

_ORDERS = frozenset({"add", "cue_add", "remind_me", "asks_you", "note_only"})
_TELLS = frozenset({"finite", "is_doing", "past_aux", "told_state", "did", "telling"})
_FIRST = 3


def adds_remarks_too(
    requests: Sequence[JudgedRequest],
    read: Sequence[JudgedRequest],
    understood: Sequence[JudgedRequest],
    policy: Policy,
) -> bool:
    """Whether all clauses but the last tell something, and the whole adds what they name besides what that asks for."""
    last = understood[0] if len(understood) == 1 else None
    if last is None or len(requests) < 2 or not read or read[-1].utterance is not last.utterance:
        return False
    facts = policy.catalogue.by_intent.get(last.outcome.intent)
    if facts is None or facts.effect != "add" or not acts(last.outcome) or not _orders(last, policy):
        return False
    name = facts.argument("name")
    named = [_name_of(each, name) for each in requests if each.outcome.intent == facts.intent]
    others = [each for each in read if each.utterance is not last.utterance]
    told = all(not acts(each.outcome) and _tells(each, policy) for each in others)
    return len(named) == len(requests) and _name_of(last, name) in named and bool(others) and told


def _name_of(request: JudgedRequest, argument: str) -> object:
    outcome = request.outcome
    call = outcome.call or (outcome.pending.call if outcome.pending else None)
    return call.parameters.get(argument) if call else None


def _orders(request: JudgedRequest, policy: Policy) -> bool:
    """Whether it begins with a word for adding."""
    words = request.utterance.words[:_FIRST]
    return any(not _ORDERS.isdisjoint(policy.word_classes.get(word, ())) for word in words)


def _tells(request: JudgedRequest, policy: Policy) -> bool:
    return any(not _TELLS.isdisjoint(policy.word_classes.get(word, ())) for word in request.utterance.words)
