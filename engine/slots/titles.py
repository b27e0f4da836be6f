"""Titles and mentions: the user's words, frills and dates off, capitals kept."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.dates import DateMatch
from engine.policy.patterns import Lexicon
from engine.policy.values import Policy
from engine.text.normalise import Token, Utterance, make_span
from engine.values import Span

_OPENING = "($£€#@+<"
_FIRST_PICTURE = "\u2600"
"""Signs from here on are pictures: 🎂 belongs to the words beside it."""
_CLOSING = ")%€"


class Words(NamedTuple):
    """A value made of words of the message, with the stretch they come from."""

    value: str
    span: Span


def inside(token: Token, spans: tuple[Span, ...]) -> bool:
    start = token.start
    for span in spans:  # noqa: SIM110 - asked for every word of every name that is tried: twice as quick as `any`
        if span.start <= start < span.end:
            return True
    return False


def find_quoted(utterance: Utterance, first: int, last: int) -> Words | None:
    """The quotation within these tokens, if there is one: quotes are taken as they stand."""
    if not utterance.quotes:
        return None
    region = utterance.span(first, last)
    for quote in utterance.quotes:
        if region.start <= quote.start + 1 and quote.end <= region.end + 1 and utterance.slice(quote).strip():
            return Words(utterance.slice(quote).strip(), quote)
    return None


def find_quoted_name(
    utterance: Utterance, first: int, last: int, policy: Policy, without: tuple[Span, ...] = ()
) -> Words | None:
    """The quotation, where it is the whole name: 'add "Dune 2" for Friday', not 'buy "Dune 2" for Leo'."""
    quoted = find_quoted(utterance, first, last)
    if quoted is None:
        return None
    for place in range(first, last):
        token = utterance.tokens[place]
        if inside(token, (*without, quoted.span)) or token.norm in policy.small_words or not token.norm.isalnum():
            continue
        if _FRILLS.isdisjoint(policy.word_classes.get(token.norm, ())):
            return None
    return quoted


_FRILLS = frozenset({"title_lead", "title_tail", "item", "items", "list", "opener", "closer", "add", "light"})


def clean(
    utterance: Utterance,
    first: int,
    last: int,
    policy: Policy,
    *,
    without: tuple[Span, ...] = (),
    lead: str = "title_lead",
    tail: str = "title_tail",
) -> Words | None:
    """The words from `first` to before `last` without those spans, and without frills at either end."""
    tokens = utterance.tokens
    if lead == "title_lead":
        first, last = _without_asides(utterance, first, last, policy, without)
    places: Sequence[int] = range(first, last)
    if without:
        places = [place for place in places if not inside(tokens[place], without)]
    words = tuple([tokens[place].norm for place in places])
    start = _skip_lead(words, policy.lexicon, lead)
    if lead == "title_lead" and start < len(words) and len(words) in policy.lexicon.ends(lead, words, start):
        return None  # "add a task called": only words that lead to a title
    end = _skip_tail(words, policy.lexicon, tail, start)
    return _join(utterance, places[start:end]) if end > start else None


def _without_asides(
    utterance: Utterance, first: int, last: int, policy: Policy, without: tuple[Span, ...]
) -> tuple[int, int]:
    """Without "…, write that down", "…, both for Thursday", "…, we are out of it" after it and "please:" before it."""
    text, tokens = utterance.text, utterance.tokens
    words = tuple([token.norm for token in tokens[first:last]])
    stop = last
    while stop > first and inside(tokens[stop - 1], without):
        stop -= 1
    for place in range(first + 1, last):
        apart = "," in text[tokens[place - 1].end : tokens[place].start]
        if apart and stop - first in policy.lexicon.ends("jot_down", words, place - first):
            return first, place
        if apart and not utterance.quotes and _tells(words, place - first, policy):
            return first, place
    for after in range(first + 1, min(last, first + _LONGEST_ASIDE + 1)):
        if ":" in text[tokens[after - 1].end : tokens[after].start]:
            return (after if all(_is_aside(word, policy) for word in words[: after - first]) else first), last
    return first, last


def end_before_sentence(utterance: Utterance, first: int, last: int, policy: Policy) -> int:
    """Where a name ends that a sentence follows after a comma: "… to buy nappies size 2, he's huge"."""
    text, tokens = utterance.text, utterance.tokens
    words = tuple([token.norm for token in tokens[first:last]])
    commas = [at for at in range(first + 1, last) if "," in text[tokens[at - 1].end : tokens[at].start]]
    if utterance.quotes:
        return last
    return next((at for at in commas if _tells(words, at - first, policy)), last)


def _tells(words: tuple[str, ...], place: int, policy: Policy) -> bool:
    """Whether what follows a comma is a sentence of its own: "…, I keep forgetting", "…, the market is on"."""
    classes = policy.word_classes
    begins = _TELLS & classes.get(words[place], frozenset())
    return bool(begins) or any("finite" in classes.get(word, ()) for word in words[place + 1 :])


def _is_aside(word: str, policy: Policy) -> bool:
    return word in policy.small_words or not _ASIDE.isdisjoint(policy.word_classes.get(word, ()))


_LONGEST_ASIDE = 2


_TELLS = frozenset({"subject", "telling"})
_ASIDE = frozenset({"opener", "closer", "item", "items", "list", "light"})


def _skip_lead(words: tuple[str, ...], lexicon: Lexicon, name: str) -> int:
    """Lead words go as long as something is left after them."""
    start = 0
    while start < len(words):
        ends = [end for end in lexicon.ends(name, words, start) if end < len(words)]
        if not ends:
            return start
        start = ends[0]
    return start


_NONE: frozenset[str] = frozenset()


_LONGEST_TAIL = 5
"""Words: "no date for that one"."""


def _skip_tail(words: tuple[str, ...], lexicon: Lexicon, name: str, start: int) -> int:
    end, place, firsts = len(words), len(words) - 1, lexicon.firsts.get(name, _NONE)
    while place > start and place >= end - _LONGEST_TAIL:
        if words[place] in firsts and end in lexicon.ends(name, words, place):
            end = place
        place -= 1
    return end


def _join(utterance: Utterance, places: Sequence[int]) -> Words:
    """The text of each run of neighbouring tokens as written, joined by spaces."""
    spans = [_widen(utterance.text, utterance.span(first, last + 1)) for first, last in _runs(places)]
    spans[0] = make_span(_picture_before(utterance, places[0], spans[0].start), spans[0].end)
    value = " ".join(utterance.text[span.start : span.end].strip() for span in spans)
    return Words(" ".join(value.split()), make_span(spans[0].start, spans[-1].end))


def _runs(places: Sequence[int]) -> list[tuple[int, int]]:
    """The first and the last of each stretch of places without a gap."""
    first, last = places[0], places[-1]
    if last - first == len(places) - 1:  # nearly always
        return [(first, last)]
    ends = [place for place, following in pairwise(places) if following != place + 1]
    starts = [following for place, following in pairwise(places) if following != place + 1]
    return list(zip([first, *starts], [*ends, last], strict=True))


def _picture_before(utterance: Utterance, place: int, start: int) -> int:
    after = utterance.tokens[place - 1].end if place else 0
    if utterance.text.isascii():
        return start
    for where in range(after, start):
        if utterance.text[where] >= _FIRST_PICTURE:
            return where
    return start


def _widen(text: str, span: Span) -> Span:
    """Signs that belong to the words beside them: "$20", "100%", "(old)"."""
    start, end = span.start, span.end
    if start and text[start - 1] in _OPENING and (text[start - 1] != "(" or ")" in text[start : end + 1]):
        start -= 1
    if end < len(text) and text[end] in _CLOSING and (text[end] != ")" or "(" in text[start:end]):
        end += 1
    return make_span(start, end)


def date_spans(dates: tuple[DateMatch, ...], utterance: Utterance) -> tuple[Span, ...]:
    """Where dates stand, quotations left alone: what somebody quotes is never read as a date."""
    if not dates:
        return ()
    if not utterance.quotes:
        return tuple([match.span for match in dates])
    return tuple(
        match.span
        for match in dates
        if not any(quote.start <= match.span.start and match.span.end <= quote.end for quote in utterance.quotes)
    )
