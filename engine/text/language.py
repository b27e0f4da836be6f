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
    counts = {language: sum(_tells(word, small) for word in words) for language, small in languages.items()}
    most = max(counts.values(), default=0)
    leaders = [language for language, count in counts.items() if count == most]
    return leaders[0] if most and len(leaders) == 1 else None


def _tells(word: str, small: SmallWords) -> int:
    # "l'attività" is told by what stands before its apostrophe.
    known = word in small.words or ("'" in word and word.partition("'")[0] + "'" in small.words)
    return known + (not small.letters.isdisjoint(word))
