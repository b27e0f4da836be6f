"""Whether words ask something: by their sign, or, typed in a hurry, by their ending: "have I paid it or not"."""

from __future__ import annotations

from engine.policy.values import Policy
from engine.text.normalise import Utterance

_ENDING, _INVERTED, _SHORTEST = "or_not", "asks_first", 3
_NO_SUBJECT = frozenset({"into", "connector", "negation", "done_word", "did"})


def is_question(utterance: Utterance, policy: Policy) -> bool:
    return "?" in utterance.own_text or _ends_as_one(utterance, policy)


def begins_as_one(words: tuple[str, ...], policy: Policy) -> bool:
    """ "is the rent paid", in a hurry without its sign: where a language says by the order of words that it asks. "was
    in town", without a subject, asks nothing."""
    if len(words) < _SHORTEST or _INVERTED not in policy.word_classes.get(words[0], ()):
        return False
    return _NO_SUBJECT.isdisjoint(policy.word_classes.get(words[1], ()))


def _ends_as_one(utterance: Utterance, policy: Policy) -> bool:
    endings = policy.lexicon.by_class.get(_ENDING)
    if not endings:
        return False
    words = utterance.words[-_LONGEST:]
    if endings.keys().isdisjoint(words):  # nearly always
        return False
    return any(len(words) in policy.lexicon.ends(_ENDING, words, place) for place in range(1, len(words)))


_LONGEST = 4
"""Words that are looked at: the ending, and the one before it, without which it is an answer."""


def asks_what(utterance: Utterance, policy: Policy) -> bool:
    """ "what must go by Monday?", and not "what about Monday?"."""
    words, classes = utterance.words, policy.word_classes
    asks = "?" in utterance.own_text and len(words) > 1 and "wh" in classes.get(words[0], ())
    return asks and not _ASKING.isdisjoint(classes.get(words[1], ()))


_ASKING = frozenset({"finite", "asks_first", "wants_it_done"})
