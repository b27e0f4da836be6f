"""An answer to "which one?": a place in the list, a name, a yes, a no; or None, for a new request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from engine.text.folding import fold, title_words

_FOLDER = Path(__file__).parent
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


@cache
def _load() -> _Words:
    """Of all languages together: people answer in either, whatever the question's."""
    files = [_read(path) for path in sorted(_FOLDER.glob("*/answers.yaml"))]
    names = ("last", "filler", "none", "none_heads", "yes", "yes_heads")
    sets = [frozenset(word for data in files for word in data[name]) for name in names]
    places = {word: int(place) - 1 for data in files for place, words in data["ordinals"].items() for word in words}
    return _Words(places, *sets)


def _read(path: Path) -> Mapping[str, Any]:
    return dict(yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader))  # noqa: S506 - safe: words only


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
