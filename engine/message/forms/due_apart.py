""" "Add book the pitch for Saturday 5 December, to be done by Friday": until when it is to be done is said by itself,
and a day before that belongs to the name."""

from __future__ import annotations

from engine.dates import find_dates
from engine.decision import Context, Factor, Slot
from engine.message.judged import acts, judge_in_order
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.reading.requests import part
from engine.slots.draft import Draft
from engine.talking.basis import Basis, judge_with
from engine.talking.moves.noticing import begin
from engine.text.normalise import Utterance
from engine.values import Argument, Provenance, Span

_DUE_BY = "to_be_done_by"
_PAUSES = frozenset(",;–—-")


def read_due_apart(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """The new thing, due when it is said apart. None for all other messages."""
    words = utterance.words
    facts = policy.catalogue.by_effect.get("add")
    if facts is None or _DUE_BY not in policy.lexicon.names(words):  # nearly always
        return None
    place = _find_due(utterance, words, policy)
    tail = part(utterance, place, len(words), policy) if place else None
    dates = find_dates(utterance.text, context.now, policy.date_words) if tail else ()
    due = [each for each in dates if tail and each.span.end > tail.tokens[0].end]
    name, date = facts.argument("name"), facts.argument("date")
    read = judge_in_order((part(utterance, 0, place, policy),), context, policy) if len(due) == 1 else ()
    if len(read) != 1 or read[0].outcome.intent != facts.intent or not acts(read[0].outcome) or not date:
        return None
    outcome, head = read[0].outcome, read[0].utterance
    named = next((slot for slot in outcome.slots if slot.name == name), None)
    if named is None or outcome.call is None:
        return None
    if any(slot.name == date for slot in outcome.slots):
        span = Span(named.span.start, head.tokens[-1].end)
        named = Slot(name, utterance.slice(span), span)
    kept = [slot for slot in outcome.slots if slot.name not in (name, date)]
    slots = (named, *kept, Slot(date, due[0].value, due[0].span, due[0].alternatives))
    arguments = tuple(Argument(slot.name, slot.value, Provenance("words", slot.span)) for slot in slots)
    basis = Basis("move:due apart", "request", _SURE, (Factor("due when it says apart", _SURE),), 0, len(words))
    told = begin(utterance, read[0].weighed, context, policy)
    return (
        JudgedRequest(
            utterance, read[0].weighed, judge_with(basis, facts, Draft(facts.intent, arguments, slots), None, told)
        ),
    )


_SURE = 0.9


def _find_due(utterance: Utterance, words: tuple[str, ...], policy: Policy) -> int:
    """Where that is said, after a pause; 0 where it is not."""
    text, tokens = utterance.text, utterance.tokens
    for place in range(2, len(words)):
        paused = not _PAUSES.isdisjoint(text[tokens[place - 1].end : tokens[place].start])
        if paused and policy.lexicon.ends(_DUE_BY, words, place):
            return place
    return 0
