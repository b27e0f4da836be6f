""" "Move the dentist to Friday and put a note on it: bring the card": what is asked for before the note is done as
well."""

from __future__ import annotations

from engine.decision import Context
from engine.message.judged import acts, judge_in_order
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.reading.requests import part
from engine.reading.weighing import weigh_request
from engine.talking.moves.noticing import begin
from engine.talking.notes.noted_before import note_said_first
from engine.talking.notes.noting import find_note
from engine.text.normalise import Utterance

_SHORTEST = 2
_FILLING = frozenset({"note_verb", "note_write", "note_phrase", "note_here", "add", "opener", "small_word", "closer"})


def with_request_before_note(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """The change that the words before "and put a note …" ask for, and then the note."""
    facts = policy.catalogue.by_effect.get("change")
    if facts is None or len(requests) != 1 or requests[0].outcome.intent != facts.intent:
        return requests
    cut = _find_cut(utterance, context, policy)
    if cut < _SHORTEST:
        return requests
    before = judge_in_order((part(utterance, 0, cut, policy),), context, policy)
    changes = [each for each in before if acts(each.outcome) and each.outcome.intent == facts.intent]
    target = policy.catalogue.target_of(requests[0].outcome.call) if requests[0].outcome.call else None
    same = all(each.outcome.call and policy.catalogue.target_of(each.outcome.call) == target for each in changes)
    return (*changes, *requests) if changes and len(changes) == len(before) and same else requests


def _find_cut(utterance: Utterance, context: Context, policy: Policy) -> int:
    """The place of the "and" or the comma before the words that lead to a note; 0 where nothing stands before them."""
    told = begin(utterance, weigh_request(utterance, context, policy), context, policy)
    note = find_note(told)
    words, text, tokens = told.reading.scene.words, utterance.text, utterance.tokens
    leading = {
        at
        for place in range(note[0] + 1 if note else 0)
        for name, length in policy.lexicon.classes(words, place)
        if name in _FILLING
        for at in range(place, place + length)
    }
    for place in range(note[0] if note else 0, 0, -1):
        if words[place] in policy.splitters or "," in text[tokens[place - 1].end : tokens[place].start]:
            return place
        if place not in leading:
            return 0  # "add lunch with Bo and a note for the caterer: …"
    return 0


def writes_note(utterance: Utterance, context: Context, policy: Policy) -> bool:
    """Whether the form says that something shall be noted, and on what."""
    words = utterance.words
    if policy.lexicon.names(words).isdisjoint(_NOTING):  # most messages
        return False
    if all(_NOTING.isdisjoint(policy.word_classes.get(word, ())) for word in words):
        return False
    weighed = weigh_request(utterance, context, policy)
    told = begin(utterance, weighed, context, policy)
    return find_note(told) is not None or note_said_first(told) is not None


_NOTING = frozenset({"note_word", "note_write"})
