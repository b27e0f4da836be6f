"""Numbers as they stand in a name or a message: "38.5", "54", "three"."""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.policy.values import Policy
from engine.text.folding import fold

_FIGURES = re.compile(r"(?<![\w.,:/])\d+(?:[.,:/]\d+)?(?![\w:/]|[.,]\d)")
_WORD = re.compile(r"[^\W\d_]+")
_APART = re.compile(r"[,.;:()\d]")
_FEWEST = 2
"""A word for one is an article or points at something."""


class NumberSaid(NamedTuple):
    text: str
    start: int
    end: int
    in_words: bool = False

    @property
    def is_whole(self) -> bool:
        return self.text.isdigit() or self.in_words


def find_numbers(text: str, policy: Policy) -> list[NumberSaid]:
    """In their order."""
    found = [NumberSaid(each.group(), each.start(), each.end()) for each in _FIGURES.finditer(text)]
    for word in _WORD.finditer(text):
        if policy.numbers.get(fold(word.group()), 0) >= _FEWEST:
            found.append(NumberSaid(word.group(), word.start(), word.end(), in_words=True))
    return sorted(found, key=lambda each: each.start)


def how_much(number: NumberSaid, policy: Policy) -> int | None:
    """As a whole number."""
    if number.in_words:
        return policy.numbers.get(fold(number.text))
    return int(number.text) if number.text.isdigit() else None


def written_like(new: NumberSaid, old: NumberSaid, policy: Policy) -> str:
    """The new number in figures where the old one was; otherwise as it was said."""
    value = how_much(new, policy)
    return str(value) if new.in_words and not old.in_words and value is not None else new.text


def word_before(text: str, place: int) -> str:
    return fold((_WORD.findall(text[:place]) or [""])[-1])


def words_after(text: str, place: int) -> list[str]:
    """What is counted stands among them: "ten jam jars", and not "40 pages, 12 figures"."""
    counted = _APART.split(text[place:], maxsplit=1)[0]
    return [fold(each) for each in _WORD.findall(counted)[:_COUNTED]]


_COUNTED = 3
