""" "Undo that, I have to ask Paul first": what one has to do before says why, and is nothing new to do."""

from __future__ import annotations

from engine.message.clauses_together import effect_of
from engine.message.forms.wanted_before import without_clitic
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.text.normalise import Utterance

_DUTY, _FIRST = "own_duty", "beforehand"
_OPENING = frozenset({"interjection", "opener", _FIRST})


def without_duties_first(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], policy: Policy
) -> tuple[JudgedRequest, ...]:
    """The requests less a duty that follows a change, and is to be done before it; or that follows what is taken back,
    where no day is told. One that is joined to it ("and I have to …") is something more that is wanted."""
    if len(requests) < 2:
        return requests  # most messages
    return tuple(
        each
        for place, each in enumerate(requests)
        if not (place and _says_why(each, requests[place - 1], policy) and not _is_joined(each, utterance, policy))
    )


def _says_why(request: JudgedRequest, before: JudgedRequest, policy: Policy) -> bool:
    words, lexicon = request.utterance.words, policy.lexicon
    if effect_of(request, policy) != "add" or request.weighed.dates or _DUTY not in lexicon.names(words):
        return False
    opened = next((at for at, word in enumerate(words) if _OPENING.isdisjoint(policy.word_classes.get(word, ()))), 0)
    undone = before.outcome.act == "undo"
    first = _FIRST in lexicon.names(words)
    changed = effect_of(before, policy) in ("change", "remove", "finish")
    ends = lexicon.ends(_DUTY, words, opened)
    return bool(ends) and (undone or (changed and (first or _is_of_it(words[max(ends) :], policy))))


def _is_of_it(words: tuple[str, ...], policy: Policy) -> bool:
    """ "reopen the call to the warden, I need to ring him again": what is to be done to him, her or it is what was
    spoken of, said once more."""
    does, points = False, False
    for word in words:
        names = policy.word_classes.get(word, frozenset())
        carrier = without_clitic(word, policy)
        if not does and (carrier or _DOES & names):
            does, points = True, points or carrier is not None
        elif not _POINTS.isdisjoint(names):
            points = True
        elif word not in policy.small_words and _AGAIN.isdisjoint(names):
            return False
    return does and points


_POINTS, _DOES = frozenset({"pronoun", "points_back", "cue_them"}), frozenset({"chore", "errand"})
_AGAIN = frozenset({"light", "function"})


def _is_joined(request: JudgedRequest, utterance: Utterance, policy: Policy) -> bool:
    start = request.utterance.tokens[0].start
    ahead = [token.norm for token in utterance.tokens if token.start < start][-1:]
    return any(word in policy.splitters for word in (*ahead, request.utterance.tokens[0].norm))
