"""Text to tokens: words without accents and capitals, numbers, single marks, each with its place in the text."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from engine.making import maker
from engine.values import Span

# Every alternative consumes at least one character that the others cannot: no backtracking, linear time.
_TOKEN = re.compile(r"(?:[^\W\d_][\u0300-\u036f]*)+|\d+|\S")
_WORD = re.compile(r"[^\W\d_]+")
_PLAIN_WORD = re.compile("[a-z]+")
"""The same for plain small letters, and twice as quick."""
_DIGIT = re.compile(r"\d")
_TEXTS_KEPT = 32
_LONGEST_NUMBER = 4
"""Years have four digits. Longer runs (telephone numbers, a million nines) are never read as numbers."""

_QUOTES = {'"': '"', "“": "”", "«": "»", "„": "“"}
_OPENING_QUOTE = re.compile('["“«„]')


class DateToken(NamedTuple):
    word: str
    start: int
    end: int
    number: int | None


_make_token = maker(DateToken)


def plain(text: str) -> str:
    """Lower case, without accents and with one kind of apostrophe: "Venerdì" and "venerdi" are one word."""
    text = text.lower()
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.replace("’", "'").replace("`", "'"))
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def tokenize(text: str) -> list[DateToken]:
    tokens = []
    ascii_only = text.isascii()  # then lower case keeps every place, and the words need no further work
    for found in _TOKEN.finditer(text.lower() if ascii_only else text):
        raw = found.group()
        start, end = found.span()
        number = int(raw) if end - start <= _LONGEST_NUMBER and raw.isdecimal() else None
        tokens.append(_make_token((raw if ascii_only else plain(raw), start, end, number)))
    return tokens


def has_any(text: str, triggers: frozenset[str]) -> bool:
    """The cheap check that spares most messages the rest: no date without a digit or one of these words."""
    return _DIGIT.search(text) is not None or says_any(text, triggers)


def says_any(text: str, words: frozenset[str]) -> bool:
    """The same of what no digit tells."""
    return not words.isdisjoint(_find_words(text))


@lru_cache(maxsize=_TEXTS_KEPT)
def _find_words(text: str) -> tuple[str, ...]:
    """Kept: dates, shifts and days in names are all looked for in the same few texts."""
    return tuple(_PLAIN_WORD.findall(text.lower()) if text.isascii() else _WORD.findall(plain(text)))


def mark_quoted(text: str) -> list[Span]:
    """The stretches inside quotation marks. What somebody quotes is a name, not a date."""
    stretches: list[Span] = []
    covered = 0
    closers_gone: set[str] = set()  # looked for once and not found: never again, so that the time stays linear
    for found in _OPENING_QUOTE.finditer(text):
        closer = _QUOTES[found.group()]
        if found.start() < covered or closer in closers_gone:
            continue
        end = text.find(closer, found.end())
        if end < 0:
            closers_gone.add(closer)
            continue
        covered = end + 1
        stretches.append(Span(found.start(), covered))
    return stretches
