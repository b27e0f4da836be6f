""" "Add order carrots and order gravy, both for Thursday": what follows the word is for each, and the word itself is in
no name."""

from __future__ import annotations

from dataclasses import replace

from engine.decision import Context, Slot
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.reading.weighing import dates_of
from engine.slots.titles import date_spans, inside
from engine.text.normalise import Utterance
from engine.values import Argument, Provenance

_BOTH = "each_of_both"
_ADDED = frozenset({"add", "chore", "errand", "remind_me", "add_lead"})
_LEAST = 3
"""Words before it: it must have something to be about."""


def without_both(utterance: Utterance, context: Context, policy: Policy) -> Utterance:
    """The message without the word, where nothing but a day follows it."""
    words = utterance.words
    if _BOTH not in policy.lexicon.names(words) or policy.lexicon.names(words).isdisjoint(_ADDED):
        return utterance  # most messages; and "service and extinguisher, both on the 25th" moves what is there
    for place in range(len(words) - 2, _LEAST, -1):
        end = max(policy.lexicon.ends(_BOTH, words, place), default=0)
        if not end or end == len(words) or utterance.is_quoted(place):
            continue
        spans = date_spans(dates_of(utterance, context, policy), utterance)
        after = utterance.tokens[end:]
        dated = any(inside(token, spans) for token in after)
        if not dated or not all(inside(token, spans) or token.norm in policy.small_words for token in after):
            return utterance
        starts = frozenset(at if at < end else at - (end - place) for at in utterance.sentence_starts)
        return utterance._replace(tokens=(*utterance.tokens[:place], *after), sentence_starts=starts)
    return utterance


def share_of_both(
    requests: tuple[JudgedRequest, ...], utterance: Utterance, context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """All that is added, on the day that was said last of all."""
    facts = policy.catalogue.by_effect.get("add")
    dates, argument = dates_of(utterance, context, policy), facts.argument("date") if facts else ""
    if not facts or not dates or not argument:
        return requests
    slot = Slot(argument, dates[-1].value, dates[-1].span, dates[-1].alternatives)
    return tuple(_dated(each, slot) if each.outcome.intent == facts.intent else each for each in requests)


def _dated(request: JudgedRequest, slot: Slot) -> JudgedRequest:
    outcome = request.outcome
    if outcome.call is None or any(each.name == slot.name for each in outcome.call.arguments):
        return request  # what it says by itself stays
    given = Argument(slot.name, slot.value, Provenance("words", slot.span))
    call = replace(outcome.call, arguments=(*outcome.call.arguments, given))
    return request._replace(outcome=outcome._replace(call=call, slots=(*outcome.slots, slot)))
