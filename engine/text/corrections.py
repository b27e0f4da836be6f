"""Misspelt words of the policy: "creat", "shwo", "taks". A real word is never corrected, nor a word of a name that the
person gave."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from engine.policy.misspellings import leave_out_each
from engine.policy.values import Policy
from engine.text.normalise import Utterance

_STRETCH = re.compile(r"([^\W\d_])\1{2,}")
_LONGEST = 64
"""Longer runs of letters are nobody's slip, and leaving out each letter in turn takes the square of the length."""


class Correction(NamedTuple):
    place: int
    word: str
    meant: str


IsName = Callable[[str], bool]


def is_no_name(word: str) -> bool:
    """Where nothing is stored."""
    return False


def correct(
    utterance: Utterance, policy: Policy, is_name: IsName = is_no_name
) -> tuple[tuple[str, ...], tuple[Correction, ...]]:
    """The words as the rules should see them, and what was corrected."""
    words = utterance.words
    known, vocabulary = policy.word_classes, policy.weights.vocabulary
    strange = {word for word in frozenset(words) - vocabulary if word not in known}
    if not strange:  # most messages: only words that are words
        return words, ()
    found: list[Correction] = []
    for place, word in enumerate(words[:60]):
        meant = _find_meant(word, policy) if word in strange and word not in policy.real_words else None
        if meant and not utterance.is_quoted(place) and not is_name(word):
            found.append(Correction(place, word, meant))
    if found:
        changed = {each.place: each.meant for each in found}
        words = tuple(changed.get(place, word) for place, word in enumerate(words))
    return words, tuple(found)


def find_correction(word: str, policy: Policy) -> str | None:
    """What this word is taken for wherever it stands, names and quotations aside."""
    known = word in policy.weights.vocabulary or word in policy.word_classes or word in policy.real_words
    return None if known else _find_meant(word, policy)


def _find_meant(word: str, policy: Policy) -> str | None:
    if not policy.amounts.shortest_misspelt <= len(word) <= _LONGEST or not word.isalpha():
        return None
    short = _without_stretch(word, policy)
    if short:
        return short
    variants = policy.misspellings
    found = (
        known
        for variant in (word, *leave_out_each(word))
        for known in variants.get(variant, ())
        # One slip, and the first letter right: "shwo" is "show", but "mask" is not "task".
        if known[0] == word[0] and _slips(word, known) <= 1
    )
    return min(found, key=lambda known: _is_other_letter(word, known), default=None)


def _is_other_letter(word: str, known: str) -> bool:
    """Least likely: "waht" is "what" rather than "wait"."""
    return len(word) == len(known) and sorted(word) != sorted(known)


def forms_without_stretch(word: str) -> tuple[str, ...]:
    """What a word with letters drawn out may be: "doneee" is "done", where that is a word that is known."""
    return (_STRETCH.sub(r"\1", word), _STRETCH.sub(r"\1\1", word)) if _STRETCH.search(word) else ()


def _without_stretch(word: str, policy: Policy) -> str | None:
    """ "doneee", "fattaaa": letters drawn out, where the word without them is one that is known."""
    return next((form for form in forms_without_stretch(word) if form in policy.word_classes), None)


def _slips(word: str, known: str) -> int:
    from rapidfuzz.distance import OSA  # late: most messages never need it, and it is slow to import

    return OSA.distance(word, known, score_cutoff=1)
