"""From text to words that know where they stand. The user's text itself is never changed."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from engine.making import made_once, maker
from engine.values import Span

TEXT_LIMIT = 10_000
_LONGEST_WORD = 200
WORD_LIMIT = 500
"""Reading takes time by the word: so many stay well within 50 ms, whatever they are, and no request has more."""

# One pass, no nested repetition: the time is linear in the text. Times such as 4:35 stay one word.
# The second is the same for plain small letters, and twice as quick.
_WORD = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:['’ʼ`´][^\W\d_]+)*['’]?|[#@]?\w+")
_PLAIN_WORD = re.compile(r"[a-z]+(?:['`][a-z]+)*'?|\d+(?:[.,:/]\d+)*|[#@]?\w+", re.ASCII)
_QUOTED = re.compile(r"\"([^\"]{1,300})\"|“([^“”]{1,300})”|«([^«»]{1,300})»|(?<!\w)['‘]([^'‘’]{1,300})['’](?!\w)")
_QUOTE = re.compile(r"[\"“«'‘]")
_APOSTROPHES = str.maketrans("’ʼ`´‘", "'''''")
_SENTENCE_END = re.compile(r"[.!?;\n]")
_ONE_SENTENCE = frozenset({0})
_WORD_SIGN = re.compile(r"\w")


make_span = lru_cache(maxsize=8192)(Span)
"""A Span never changes, and messages are short: the same few hundred serve them all."""


class Token(NamedTuple):
    """A word, as written between `start` and `end`, and as rules see it."""

    norm: str
    start: int
    end: int


_make_token = maker(Token)
_start = attrgetter("start")


class _Fields(NamedTuple):
    text: str
    tokens: tuple[Token, ...]
    quotes: tuple[Span, ...] = ()
    """Quoted stretches, without the quotation marks."""
    sentence_starts: frozenset[int] = frozenset()
    """Places in `tokens` where a new sentence begins."""


class Utterance(_Fields):
    """A message or a part of it. What every reader asks of it is made once, and lives as long as it does."""

    readings: dict[object, object] | None = None
    """What was read of a message while it is decided, and its parts, which all know the same; see `once_a_message`."""

    @made_once
    def words(self) -> tuple[str, ...]:
        """As rules see them."""
        return tuple([token.norm for token in self.tokens])

    def span(self, first: int, last: int) -> Span:
        """From the first token to before the last, as a span of the text."""
        if first < last:
            tokens = self.tokens
            return make_span(tokens[first].start, tokens[last - 1].end)
        place = self.tokens[first].start if first < len(self.tokens) else len(self.text)
        return make_span(place, place)

    def slice(self, span: Span) -> str:
        return self.text[span.start : span.end]

    @made_once
    def own_text(self) -> str:
        """Its words and the signs after them: of a part of a message not the question mark of the next."""
        if not self.tokens:
            return self.text
        before, after = self.tokens[0].start, _WORD_SIGN.search(self.text, self.tokens[-1].end)
        return self.text[before : after.start() if after else len(self.text)]

    def is_quoted(self, place: int) -> bool:
        if not self.quotes:
            return False
        token = self.tokens[place]
        before = bisect_right(self.quotes, token.start, key=_start)  # in their order, and none within another
        return before > 0 and token.start < self.quotes[before - 1].end  # the last one may have the mark at its end


def normalise(
    text: str,
    spellings: Mapping[str, str] | None = None,
    elisions: frozenset[str] = frozenset(),
    abbreviations: frozenset[str] = frozenset(),
) -> Utterance:
    """Split into words; `spellings` maps "whats" to "what's"; `elisions` are split off: "l'attività"; no sentence ends
    with the full stop of one of the `abbreviations`."""
    text = text[:TEXT_LIMIT]
    spellings = spellings or {}
    if text.isascii() and text.replace(" ", "").isalpha():  # most messages: no punctuation, figures or quotes
        return Utterance(text, _split_at_spaces(text, spellings), (), _ONE_SENTENCE)
    tokens = _find_words(text, spellings, elisions)
    quotes: tuple[Span, ...] = ()
    if _QUOTE.search(text):
        quotes = tuple(
            Span(match.start(match.lastindex or 0), match.end(match.lastindex or 0)) for match in _QUOTED.finditer(text)
        )
    return Utterance(text, tuple(tokens), quotes, _sentence_starts(text, tokens, abbreviations))


def is_long(text: str, words: int = WORD_LIMIT) -> bool:
    """Whether it has more to read than anybody asks for."""
    return len(text) > TEXT_LIMIT or (len(text) > words and len(_find_words(text, {}, frozenset(), words)) > words)


def repeats_itself(utterance: Utterance) -> bool:
    """Many words, and the same few again and again: nobody asks for anything so, and reading it takes long."""
    words = len(utterance.tokens)
    return words > _MANY_WORDS and len({token.norm for token in utterance.tokens}) * _AGAIN < words


_MANY_WORDS, _AGAIN = 130, 8


def _split_at_spaces(text: str, spellings: Mapping[str, str]) -> tuple[Token, ...]:
    tokens: list[Token] = []
    end = -1
    for word in text.lower().split(" "):
        start, end = end + 1, end + 1 + len(word)
        if word:
            tokens.append(_make_token((spellings.get(word, word), start, end)))
    return tuple(tokens)


def _find_words(
    text: str, spellings: Mapping[str, str], elisions: frozenset[str], most: int = TEXT_LIMIT
) -> list[Token]:
    """All of them, or just more than `most`: whoever only counts need not read on."""
    tokens: list[Token] = []
    # In plain letters lower case keeps every place.
    for match in _PLAIN_WORD.finditer(text.lower()) if text.isascii() else _WORD.finditer(text):
        raw = match.group()
        start, end = match.span()
        if "'" not in raw and raw.isascii():  # most words: nothing to resolve and nothing to split off
            norm = raw.lower()
            tokens.append(_make_token((spellings.get(norm, norm), start, end)))
        else:
            tokens.extend(_split(raw, start, spellings, elisions))
        if len(tokens) > most:
            break
    return tokens


def _split(raw: str, start: int, spellings: Mapping[str, str], elisions: frozenset[str]) -> list[Token]:
    norm = normal_form(raw)
    if not norm:  # an apostrophe that counts as a letter (U+02BC), and nothing else
        return []
    head, apostrophe, tail = norm.partition("'")
    if apostrophe and tail and head in elisions and len(norm) == len(raw):
        cut = start + len(head) + 1
        return [Token(head + "'", start, cut), Token(spellings.get(tail, tail), cut, start + len(raw))]
    return [Token(spellings.get(norm, norm), start, start + len(raw))]


def normal_form(word: str) -> str:
    """How rules see a word: lower case, plain apostrophes, compatibility characters resolved."""
    if word.isascii():
        return word.lower().rstrip("'")
    # One sign may resolve into eighteen; nothing that rules know is as long as this.
    return unicodedata.normalize("NFKC", word[:_LONGEST_WORD]).casefold().translate(_APOSTROPHES).rstrip("'")


def _sentence_starts(text: str, tokens: list[Token], abbreviations: frozenset[str]) -> frozenset[int]:
    if not _SENTENCE_END.search(text):
        return _ONE_SENTENCE
    starts = {0}
    for place in range(1, len(tokens)):
        between = text[tokens[place - 1].end : tokens[place].start]
        if between == ". " and tokens[place - 1].norm in abbreviations:
            continue
        if len(between) > 1 and _SENTENCE_END.search(between):
            starts.add(place)
    return frozenset(starts)
