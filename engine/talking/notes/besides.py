"""What is written besides what a note says already: "the card, too", "scrivici anche la tessera"."""

from __future__ import annotations

from engine.talking.values import Told

_TOO, _UNDER = "note_too", "note_under"


def without_too(told: Told, text: tuple[int, int]) -> tuple[int, int]:
    """ "note on the dentist: the card, too", "scrivici anche la tessera": it is written besides what is there."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    first, last = text
    if lexicon.names(words).isdisjoint((_TOO, _UNDER)):  # nearly always
        return text
    ends = (end for name in (_UNDER, _TOO) for end in lexicon.ends(name, words, first) if end < last)
    first = max(ends, default=first)
    places = (place for place in range(first + 1, last) if last in lexicon.ends(_TOO, words, place))
    return first, next(places, last)


def is_led_by_colon(told: Told, place: int) -> bool:
    text, tokens = told.reading.utterance.text, told.reading.utterance.tokens
    return place > 0 and ":" in text[tokens[place - 1].end : tokens[place].start]
