"""An answer to "which one?": a place in the list, a name, a yes, a no; or None, for a new request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from domains.machines.composing.lexicon import ordinal_class
from domains.machines.in_force import load_policies, once_a_policy
from domains.machines.language import PLACES
from engine.text.folding import fold, title_words

_LONGEST = 8
"""More words than this are no answer to "which one?"."""
_MOST_LETTERS = 500


class Picked(NamedTuple):
    place: int | None
    """Which of the options, from nought; None: none of them."""


class _Words(NamedTuple):
    places: dict[str, int]
    last: frozenset[str]
    filler: frozenset[str]
    none: frozenset[str]
    none_heads: frozenset[str]
    yes: frozenset[str]
    yes_heads: frozenset[str]


@once_a_policy
def _load() -> _Words:
    """Of all languages together: people answer in either, whatever the question's."""
    policies = tuple(load_policies().values())

    def words(*names: str) -> frozenset[str]:
        phrases = (phrase for policy in policies for name in names for phrase in policy.words[name])
        return frozenset(word for phrase in phrases for word in title_words(phrase))

    numbers = {word: number for policy in policies for word, number in policy.numbers.items()}
    places = {word: number - 1 for word, number in numbers.items() if 0 < number <= PLACES}
    for place in range(PLACES):
        places |= dict.fromkeys((*words(ordinal_class(place + 1)), str(place + 1)), place)
    rest = ("answer_filler", "answer_none", "answer_none_head", "answer_yes", "answer_yes_head")
    return _Words(places, words(ordinal_class(-1)), *(words(name) for name in rest))


def read_answer(text: str, labels: Sequence[str]) -> Picked | None:
    """What the words choose among the labels. Words that say more than a choice are a new request."""
    exact = [place for place, label in enumerate(labels) if fold(label) == fold(text)]
    if len(exact) == 1:
        return Picked(exact[0])  # also what a button says, however long it is
    words = title_words(text[:_MOST_LETTERS])[: _LONGEST + 1]
    if not words or len(words) > _LONGEST:
        return None
    known = _load()
    if words[0] in known.none_heads and all(word in known.none | known.filler for word in words):
        return Picked(None)
    if not labels:
        return None
    if len(labels) == 1 and words[0] in known.yes_heads and all(word in known.yes | known.filler for word in words):
        return Picked(0)
    return _by_place(words, len(labels), known) or _by_name(words, labels, known)


def _by_place(words: Sequence[str], count: int, known: _Words) -> Picked | None:
    left = [word for word in words if word not in known.filler or word in known.places]
    # "the second one": "one" is a filler beside another number.
    numbers = [word for word in left if word in known.places or word in known.last]
    if len(numbers) == 2 and numbers[-1] in known.filler:
        numbers, left = numbers[:1], [word for word in left if word != numbers[-1]]
    if len(numbers) != 1 or len(left) != 1:
        return None
    place = count - 1 if numbers[0] in known.last else known.places[numbers[0]]
    return Picked(place) if place < count else None


def _by_name(words: Sequence[str], labels: Sequence[str], known: _Words) -> Picked | None:
    """All words but fillers stand in exactly one label."""
    meant = {word for word in words if word not in known.filler}
    found = [place for place, label in enumerate(labels) if meant and meant <= set(title_words(label))]
    return Picked(found[0]) if len(found) == 1 else None
