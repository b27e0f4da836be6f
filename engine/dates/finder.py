"""The dates in a text, in one pass over its tokens."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from engine.dates.days import Reader
from engine.dates.guard import WITHOUT_LEAD, is_date, kinds_after, takes_possessive
from engine.dates.match import DateMatch, join_day_and_time, make_match
from engine.dates.merge import merge
from engine.dates.piece import Piece
from engine.dates.read import ANY_KIND, read_piece, starting_words
from engine.dates.times import read_part_of_day
from engine.dates.tokens import has_any, mark_quoted, tokenize
from engine.dates.words import NO_LEAD, DateWords, Lead

_MOST_PIECES = 4


def find_dates(text: str, now: datetime, words: DateWords) -> tuple[DateMatch, ...]:
    """The dates that stand in a text, in order and without overlap."""
    if not has_any(text, words.triggers):
        return ()
    reader = Reader(tokenize(text), words, now)
    quoted = iter(mark_quoted(text))
    quote = next(quoted, None)
    starts = starting_words(words)
    found: list[tuple[int, Piece]] = []
    position = 0
    while position < len(reader.tokens):
        if quote is not None and reader.tokens[position].start >= quote.start:
            while position < len(reader.tokens) and reader.tokens[position].start < quote.end:
                position += 1
            quote = next(quoted, None)
            continue
        token = reader.tokens[position]
        if token.number is None and token.word not in starts:
            position += 1
            continue
        piece = _find_at(reader, position)
        if piece is None:
            position = max(position + 1, _skip(reader, position))
            continue
        found.append((position, piece))
        position = piece.end
    return join_day_and_time(tuple(make_match(text, reader, start, piece) for start, piece in found), words)


def parse_date(text: str, now: datetime, words: DateWords) -> DateMatch | None:
    """The date that a text consists of ("next tuesday", an answer to a question), or None if it holds more."""
    reader = Reader(tokenize(text), words, now)
    last = len(reader.tokens)
    while last and reader.tokens[last - 1].word in (".", "!", "?", ",", '"', "'"):
        last -= 1
    first = 0
    while first < last and reader.tokens[first].word in ('"', "'"):
        first += 1
    # Nothing else is said, so "3 days" and "March" are dates too; a bare "5" or "first" is still not.
    alone = WITHOUT_LEAD | {"month", "holiday", "amount"} | ({"dom"} if reader.number(first) is not None else set())
    for start, lead in (*_leads_at(reader, first), (first, NO_LEAD)):
        piece = _read_chain(reader, start, kinds_after(reader, lead) if lead.said else alone)
        if piece is not None and piece.end >= last:
            return make_match(text, reader, first, piece)
    return None


def _find_at(reader: Reader, position: int) -> Piece | None:
    for start, lead in (*_leads_at(reader, position), (position, NO_LEAD)):
        piece = _read_chain(reader, start, kinds_after(reader, lead))
        if piece is None:
            continue
        described = takes_possessive(reader, position, piece, lead)
        if described is not None and is_date(reader, position, start, described, lead):
            return described
    return None


def _leads_at(reader: Reader, position: int) -> Iterator[tuple[int, Lead]]:
    return reader.words.prepositions.find_all(reader.tokens, position)


def _skip(reader: Reader, position: int) -> int:
    """Past words that look like a date and never are one: 24/7."""
    found = reader.words.not_dates.find(reader.tokens, position)
    return found[0] if found else position


def _read_chain(reader: Reader, start: int, kinds: frozenset[str]) -> Piece | None:
    """A piece and those that continue it: "tomorrow" "morning" "at 9". No kinds: any will do."""
    piece = read_piece(reader, start, kinds) or _read_hour_of_day(reader, start, kinds)
    for _ in range(_MOST_PIECES if piece else 0):
        longer = _continue(reader, piece) if piece else None
        piece = longer or piece
        if longer is None:
            break
    return piece


def _read_hour_of_day(reader: Reader, start: int, kinds: frozenset[str]) -> Piece | None:
    """A bare hour that a day follows: "for 5 tonight", "for 10 tomorrow morning"."""
    if kinds is WITHOUT_LEAD or "clock" not in kinds or "hour" in kinds:
        return None
    hour = read_piece(reader, start, frozenset({"hour"}))
    longer = _continue(reader, hour) if hour else None
    return longer if longer is not None and longer.kind in kinds else None


def _continue(reader: Reader, piece: Piece) -> Piece | None:
    part = read_part_of_day(reader, piece.end)
    if part is not None:
        return merge(piece, part)
    for end, _ in (*reader.words.connectors.find_all(reader.tokens, piece.end), (piece.end, "")):
        following = read_piece(reader, end, ANY_KIND) or read_part_of_day(reader, end)
        if following is None or (following.kind == "hour" and end == piece.end):
            continue
        joined = merge(piece, following)
        if joined is not None:
            return joined
    return None
