"""From text to words that know where they stand. The user's text itself is never changed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from engine.values import Span

TEXT_LIMIT = 10_000

# One pass, no nested repetition: the time is linear in the text. Times such as 4:35 stay one word.
_WORD = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:['’ʼ`´][^\W\d_]+)*['’]?|[#@]?\w+")
_QUOTED = re.compile(r"\"([^\"]{1,300})\"|“([^“”]{1,300})”|«([^«»]{1,300})»|(?<!\w)['‘]([^'‘’]{1,300})['’](?!\w)")
_QUOTE = re.compile(r"[\"“«'‘]")
_APOSTROPHES = str.maketrans("’ʼ`´‘", "'''''")
_SENTENCE_END = re.compile(r"[.!?;\n]")


make_span = lru_cache(maxsize=8192)(Span)
"""A Span never changes, and messages are short: the same few hundred serve them all."""


class Token(NamedTuple):
    """A word, as written between `start` and `end`, and as rules see it."""

    norm: str
    start: int
    end: int


class Utterance(NamedTuple):
    text: str
    tokens: tuple[Token, ...]
    quotes: tuple[Span, ...] = ()
    """Quoted stretches, without the quotation marks."""
    sentence_starts: frozenset[int] = frozenset()
    """Places in `tokens` where a new sentence begins."""

    def span(self, first: int, last: int) -> Span:
        """From the first token to before the last, as a span of the text."""
        if first < last:
            return make_span(self.tokens[first].start, self.tokens[last - 1].end)
        place = self.tokens[first].start if first < len(self.tokens) else len(self.text)
        return make_span(place, place)

    def slice(self, span: Span) -> str:
        return self.text[span.start : span.end]

    def is_quoted(self, place: int) -> bool:
        if not self.quotes:
            return False
        token = self.tokens[place]
        return any(quote.start <= token.start and token.end <= quote.end for quote in self.quotes)


def normalise(
    text: str, spellings: Mapping[str, str] | None = None, elisions: frozenset[str] = frozenset()
) -> Utterance:
    """Split into words; `spellings` maps "whats" to "what's"; `elisions` are split off: "l'attività"."""
    text = text[:TEXT_LIMIT]
    tokens: list[Token] = []
    spellings = spellings or {}
    for match in _WORD.finditer(text):
        raw = match.group()
        if raw.isascii() and "'" not in raw:  # most words: nothing to resolve and nothing to split off
            norm = raw.lower()
            tokens.append(Token(spellings.get(norm, norm), *match.span()))
        else:
            tokens.extend(_split(raw, match.start(), spellings, elisions))
    quotes: tuple[Span, ...] = ()
    if _QUOTE.search(text):
        quotes = tuple(
            Span(match.start(match.lastindex or 0), match.end(match.lastindex or 0)) for match in _QUOTED.finditer(text)
        )
    return Utterance(text, tuple(tokens), quotes, _sentence_starts(text, tokens))


def _split(raw: str, start: int, spellings: Mapping[str, str], elisions: frozenset[str]) -> list[Token]:
    norm = normal_form(raw)
    head, apostrophe, tail = norm.partition("'")
    if apostrophe and tail and head in elisions and len(norm) == len(raw):
        cut = start + len(head) + 1
        return [Token(head + "'", start, cut), Token(spellings.get(tail, tail), cut, start + len(raw))]
    return [Token(spellings.get(norm, norm), start, start + len(raw))]


def normal_form(word: str) -> str:
    """How rules see a word: lower case, plain apostrophes, compatibility characters resolved."""
    if word.isascii():
        return word.lower().rstrip("'")
    return unicodedata.normalize("NFKC", word).casefold().translate(_APOSTROPHES).rstrip("'")


def _sentence_starts(text: str, tokens: list[Token]) -> frozenset[int]:
    starts = {0}
    if not _SENTENCE_END.search(text):
        return frozenset(starts)
    for place in range(1, len(tokens)):
        between = text[tokens[place - 1].end : tokens[place].start]
        if len(between) > 1 and _SENTENCE_END.search(between):
            starts.add(place)
    return frozenset(starts)
