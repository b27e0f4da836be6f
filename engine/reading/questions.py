"""Whether words ask something: by their sign, or, typed in a hurry, by their ending: "have I paid it or not"."""

from __future__ import annotations

from engine.policy.values import Policy
from engine.text.normalise import Utterance

_ENDING = "or_not"


def is_question(utterance: Utterance, policy: Policy) -> bool:
    return "?" in utterance.own_text or _ends_as_one(utterance, policy)


def _ends_as_one(utterance: Utterance, policy: Policy) -> bool:
    endings = policy.lexicon.by_class.get(_ENDING)
    if not endings:
        return False
    words = tuple(token.norm for token in utterance.tokens[-_LONGEST:])
    return any(len(words) in policy.lexicon.ends(_ENDING, words, place) for place in range(1, len(words)))


_LONGEST = 4
"""Words that are looked at: the ending, and the one before it, without which it is an answer."""
