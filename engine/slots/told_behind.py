"""Where a message stops saying what shall be, and goes on to say why: "make that high, the inspector is coming"."""

from __future__ import annotations

from engine.policy.values import Policy
from engine.text.normalise import Utterance

_TELLS = frozenset({"finite", "told_state"})
_NONE = frozenset[str]()


def told_behind(utterance: Utterance, words: tuple[str, ...], policy: Policy) -> int:
    """The place of the first word behind the first comma, where what follows tells something; else 0."""
    text, tokens, classes = utterance.text, utterance.tokens, policy.word_classes
    comma = next((at for at in range(1, len(tokens)) if "," in text[tokens[at - 1].end : tokens[at].start]), 0)
    return comma if comma and any(_TELLS & classes.get(word, _NONE) for word in words[comma:]) else 0


def is_bare_number(words: tuple[str, ...], place: int, policy: Policy) -> bool:
    """ "make it 11": what it shall be; "the 14" is a day, and no hour."""
    led = place > 0 and "det" in policy.word_classes.get(words[place - 1], _NONE)
    return words[place].isdecimal() and not led
