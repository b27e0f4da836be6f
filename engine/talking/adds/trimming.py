"""The name of a thing to do, without what leads to it and what follows it: "there's also the … on Friday"."""

from __future__ import annotations

from engine.slots.titles import date_spans, inside
from engine.talking.values import Told

_LEADING, _FOLLOWING, _GREETING, _CHORE = "event_lead", "event_tail", "interjection", "chore"
_LONGEST_TAIL = 4


def trim(told: Told, first: int, last: int) -> tuple[int, int]:
    """Without dates, greetings and words of telling at either end: "there's the dress fitting, which is on Friday"."""
    words, policy = told.reading.scene.words, told.policy
    spans = date_spans(told.dates, told.reading.utterance)
    dated = {place for place in range(first, last) if inside(told.reading.utterance.tokens[place], spans)}
    moved = True
    while moved and first < last:
        moved = False
        if first in dated or words[first] in policy.splitters:
            first, moved = first + 1, True
        for name in (_LEADING, _GREETING):
            ends = [end for end in policy.lexicon.ends(name, words, first) if end < last] if first < last else []
            if ends and max(ends) >= max(policy.lexicon.ends(_CHORE, words, first), default=0):  # "look up the number"
                first, moved = max(ends), True
    moved = True
    while moved and first < last:
        moved = False
        if last - 1 in dated:
            last, moved = last - 1, True
        for place in range(max(first + 1, last - _LONGEST_TAIL), last):
            if last in policy.lexicon.ends(_FOLLOWING, words, place):
                last, moved = place, True
                break
    return first, last - _ends_with_particle(told, first, last)


def _ends_with_particle(told: Told, first: int, last: int) -> int:
    """ "put the delivery down for Thursday": the little word belongs to the verb."""
    scene, classes = told.reading.scene, told.policy.word_classes
    puts = first > scene.opening and "puts_down" in classes.get(scene.words[scene.opening], ())
    return int(puts and last - first > 1 and "put_particle" in classes.get(scene.words[last - 1], ()))


def first_piece(told: Told, first: int, last: int) -> tuple[int, int]:
    """Up to the first comma, if something that says something stands before it."""
    text, tokens = told.reading.utterance.text, told.reading.utterance.tokens
    for place in range(first + 1, last):
        between = text[tokens[place - 1].end : tokens[place].start]
        if any(sign in between for sign in ",;") and not told.reading.utterance.is_quoted(place):
            return first, place
    return first, last
