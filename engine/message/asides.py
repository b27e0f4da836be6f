"""What only a remark has in it: "of course it is", "roba da matti".

Whoever sighs, swears or wonders tells how things are; what single words beside it would make of that is not
asked about. It stands by itself: at the beginning or the end of the message, or between its signs.
"""

from __future__ import annotations

from engine.policy.values import Policy
from engine.text.normalise import Utterance

_ASIDE, _LONG = "remark_aside", 2


def has_aside(utterance: Utterance, policy: Policy) -> bool:
    words, text, tokens = utterance.words, utterance.text, utterance.tokens
    if not policy.lexicon.says(_ASIDE, words):  # nearly always
        return False
    for place in range(len(words)):
        for end in policy.lexicon.ends(_ASIDE, words, place):
            opens = place == 0 or _is_sign(text[tokens[place - 1].end : tokens[place].start])
            closes = end == len(words) or _is_sign(text[tokens[end - 1].end : tokens[end].start])
            long = end - place >= _LONG
            if (opens and (closes or place == 0)) or (long and closes):
                return True
    return False


def _is_sign(between: str) -> bool:
    return any(not sign.isalnum() and not sign.isspace() for sign in between)
