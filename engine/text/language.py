"""Which language a message is in, by its small words. Names and dates alone say nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.decision import Context, Language
from engine.text.normalise import normal_form

_LOOKED_AT = 60


class SmallWords(NamedTuple):
    """What gives a language away."""

    words: frozenset[str]
    letters: frozenset[str] = frozenset()
    """Letters that none of the domain's other languages has."""


def detect_language(text: str, context: Context, languages: Mapping[Language, SmallWords]) -> Language:
    """The language told, else that of the words, else that of the last message that had one, else the first."""
    if context.language:
        return context.language
    for said in (text, *(message.content for message in reversed(context.history[-4:]))):
        found = find_language(said, languages)
        if found:
            return found
    return next(iter(languages))


def find_language(text: str, languages: Mapping[Language, SmallWords]) -> Language | None:
    """The language with most of the small words; None where none has any, or two have as many."""
    words = [normal_form(word.strip('.,;:!?"()')) for word in text[:2000].split()[:_LOOKED_AT]]
    elided = [word for word in words if "'" in word]
    letters = set().union(*words)
    counts = {
        language: _count(words, elided, small, has_letters=not small.letters.isdisjoint(letters))
        for language, small in languages.items()
    }
    most = max(counts.values(), default=0)
    leaders = [language for language, count in counts.items() if count == most]
    return leaders[0] if most and len(leaders) == 1 else None


def _count(words: list[str], elided: list[str], small: SmallWords, *, has_letters: bool) -> int:
    """How many of the words tell the language, by themselves or by a letter, which counts once more."""
    known = small.words
    count = sum([word in known for word in words])
    # "l'attività" is told by what stands before its apostrophe.
    count += sum([word not in known and word.partition("'")[0] + "'" in known for word in elided])
    return count + sum([not small.letters.isdisjoint(word) for word in words]) if has_letters else count
