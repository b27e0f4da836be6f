"""A day or an hour that something is put right to, with why right behind it: "sorry I meant half past four they close
at five"."""

from __future__ import annotations

from engine.dates import DateMatch
from engine.policy.values import Policy
from engine.text.normalise import Utterance

_SUBJECT = "subject"


def is_followed_by_why(date: DateMatch, utterance: Utterance, policy: Policy) -> bool:
    """Whether a clause with somebody in it begins at once behind the date."""
    behind = next((token for token in utterance.tokens if token.start >= date.span.end), None)
    return behind is not None and _SUBJECT in policy.word_classes.get(behind.norm, ())


def is_led_by_correction(date: DateMatch, utterance: Utterance, policy: Policy) -> bool:
    """Whether nothing but words that put something right stand before it."""
    before = [token.norm for token in utterance.tokens if token.end <= date.span.start]
    place = 0
    while place < len(before):
        ends = [end for name in _PUTS_RIGHT for end in policy.lexicon.ends(name, tuple(before), place)]
        if not ends:
            return False
        place = max(ends)
    return bool(before)


_PUTS_RIGHT = ("corrector", "no_word", "cue_correct", "interjection")
