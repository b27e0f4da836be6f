"""The dates in a text, in one pass over its tokens."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from datetime import datetime

from engine.dates.days import Reader
from engine.dates.digits import are_time_alone, are_time_before_day, are_time_behind
from engine.dates.guard import (
    WITHOUT_LEAD,
    is_closed,
    is_date,
    is_range,
    is_stretch,
    kinds_after,
    may_be_amount,
    takes_possessive,
)
from engine.dates.match import DateMatch, make_match, make_matches
from engine.dates.merge import merge
from engine.dates.piece import Piece
from engine.dates.read import ANY_KIND, may_start, read_piece, starting_words
from engine.dates.slips import mend, triggers_of
from engine.dates.times import read_part_of_day
from engine.dates.tokens import has_any, mark_quoted, tokenize
from engine.dates.words import NO_LEAD, DateWords, Lead

_MOST_KEPT = 32
"""A message is looked at as a whole, by its requests and by its clauses: mostly the same text again."""
_MOST_PIECES = 4
_SHORT = 10
_MARKS = frozenset(".!?,")
_WHOLE = WITHOUT_LEAD | {"loose", "digits"}
_LOOSE = frozenset({"loose", "digits"})
_LOOSE_OR_HOUR = frozenset({"loose", "digits", "hour"})


@functools.lru_cache(maxsize=_MOST_KEPT)
def find_dates(text: str, now: datetime, words: DateWords, *, in_talk: bool = False) -> tuple[DateMatch, ...]:
    """The dates that stand in a text, in order and without overlap; `in_talk`: no title is at stake."""
    if not has_any(text, triggers_of(words)):
        return ()
    tokens = mend(tokenize(text), words)
    reader = Reader(tokens, words, now, in_talk=in_talk, said=frozenset([token.word for token in tokens]))
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
        is_name = _is_called_so(text, reader, position, piece)
        if not is_name:
            found.append((position, piece))
        position = position + 1 if is_name else piece.end
    if not found and len(reader.tokens) <= _SHORT:
        found = _read_whole(reader)
    return make_matches(text, reader, found)


def _is_called_so(text: str, reader: Reader, position: int, piece: Piece) -> bool:
    """ "the stitches of Otto": a bare number in words, with a capital in the middle of a message, is a name."""
    last = reader.tokens[piece.end - 1]
    if reader.word(position) in reader.words.also_names and reader.word(position - 1) in reader.words.names_after:
        return text[reader.tokens[position].start].isupper()  # "chiama Domenica"
    bare = piece.kind == "hour" and piece.end - position <= _WITH_LEAD and last.number is None
    return bare and position > 0 and text[last.start].isupper() and not text[: last.start].isupper()


_WITH_LEAD = 2


def parse_date(text: str, now: datetime, words: DateWords) -> DateMatch | None:
    """The date that a text consists of ("next tuesday", an answer to a question), or None if it holds more."""
    reader = Reader(mend(tokenize(text), words), words, now)
    last = len(reader.tokens)
    while last and (reader.tokens[last - 1].word in _MARKS or reader.tokens[last - 1].word in ('"', "'")):
        last -= 1
    first = 0
    while first < last and reader.tokens[first].word in ('"', "'"):
        first += 1
    # Nothing else is said, so "3 days" and "March" are dates too; a bare "5" or "first" is still not.
    alone = (
        WITHOUT_LEAD | {"loose", "digits", "month", "amount"} | ({"dom"} if reader.number(first) is not None else set())
    )
    for start, lead in (*_leads_at(reader, first), (first, NO_LEAD)):
        piece = _read_chain(reader, start, kinds_after(reader, start, lead) if lead.said else alone)
        piece = _with_onwards(reader, piece, lead) if piece is not None else None
        if piece is not None and piece.end >= last and not _is_bare_range(reader, first, piece):
            return make_match(text, reader, first, piece)
    part = _read_part_alone(reader, first, last)
    return make_match(text, reader, first, part) if part else None


def _read_whole(reader: Reader) -> list[tuple[int, Piece]]:
    """A message that says a day, a time or a part of the day and little else: "mon", "ok, half five", "lunchtime"."""
    around = reader.words.fillers | _MARKS
    first, last = 0, len(reader.tokens)
    while last and reader.tokens[last - 1].word in around:
        last -= 1
    while first < last and reader.tokens[first].word in around:
        first += 1
    piece = _read_chain(reader, first, _WHOLE)
    if piece is not None and piece.end >= last and not _is_bare_range(reader, first, piece):
        return [(first, piece)]
    part = _read_part_alone(reader, first, last)
    return [(first, part)] if part else []


def _read_part_alone(reader: Reader, first: int, last: int) -> Piece | None:
    part = read_part_of_day(reader, first)
    alone = part is not None and part.end >= last and reader.word(first) not in reader.words.greetings
    return part if alone else None


def _find_at(reader: Reader, position: int) -> Piece | None:
    for start, lead in (*_leads_at(reader, position), (position, NO_LEAD)):
        piece = _read_chain(reader, start, kinds_after(reader, start, lead)) if may_start(reader, start) else None
        if piece is None:
            continue
        described = takes_possessive(reader, position, _with_onwards(reader, piece, lead), lead)
        if described is not None and is_date(reader, position, start, described, lead):
            return described
    return None


def _with_onwards(reader: Reader, piece: Piece, lead: Lead) -> Piece:
    """ "from Monday on", "da lunedì in poi"."""
    onwards = reader.words.onwards.find(reader.tokens, piece.end) if lead.said in reader.words.onwards_leads else None
    return piece._replace(end=onwards[0]) if onwards is not None and is_closed(reader, onwards[0]) else piece


def _leads_at(reader: Reader, position: int) -> Iterator[tuple[int, Lead]]:
    before = reader.word(position - 1) if position else ""
    if reader.word(position) in reader.words.noun_leads and before in reader.words.day_articles:
        return iter(())  # "change for the till tomorrow"
    return reader.words.prepositions.find_all(reader.tokens, position)


def _skip(reader: Reader, position: int) -> int:
    """Past words that look like a date and never are one: 24/7; and past a feast that is part of a name."""
    found = reader.words.not_dates.find(reader.tokens, position)
    feast = reader.words.feasts.find(reader.tokens, position)
    return max(found[0] if found else position, feast[0] if feast else position)


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
    """A time that the day after it makes one: "for 5 tonight", "for 10 tomorrow morning", "half six Friday"."""
    if "clock" not in kinds or "hour" in kinds:
        return None
    alone = kinds is WITHOUT_LEAD
    hour = read_piece(reader, start, _LOOSE if alone else _LOOSE_OR_HOUR)
    if hour is None or (hour.kind == "digits" and not are_time_before_day(reader, start)):
        return None
    if alone and hour.kind == "loose" and may_be_amount(reader, start, hour) and not is_stretch(reader, start):
        return None
    longer = _continue(reader, hour)
    return longer if longer is not None and longer.kind in kinds else None


def _continue(reader: Reader, piece: Piece) -> Piece | None:
    part = read_part_of_day(reader, piece.end)
    if part is not None:
        return merge(piece, part)
    for end, said in (*reader.words.connectors.find_all(reader.tokens, piece.end), (piece.end, "")):
        following = read_piece(reader, end, ANY_KIND) or read_part_of_day(reader, end)
        tonight = piece.kind == "part" and following is not None and _ends(reader, following)  # "tonight 7"
        if following is None or (end == piece.end and not tonight and not _may_follow(reader, end, following)):
            continue
        if following.kind == "digits" and not (_ends(reader, following) and are_time_behind(reader, end, piece, said)):
            continue
        if following.kind == "hour" and said in reader.words.weak_prepositions and not _ends(reader, following):
            continue  # "tomorrow about 8 invoices", "friday for 5 people"
        joined = merge(piece, following)
        if joined is not None:
            return joined
    return None


def _may_follow(reader: Reader, start: int, piece: Piece) -> bool:
    """Without a word between: "Friday 7.30" is one moment, "Friday 5" and "tomorrow 5-10 people" are not."""
    if piece.kind != "loose":
        return piece.kind != "hour"  # four figures have been looked at
    if _ends(reader, piece):
        return True
    return not may_be_amount(reader, start, piece) and reader.word(piece.end) not in reader.words.measures


def _is_bare_range(reader: Reader, start: int, piece: Piece) -> bool:
    if piece.kind == "digits":
        return not are_time_alone(reader, start)
    return piece.kind == "loose" and is_range(reader, start)


def _ends(reader: Reader, piece: Piece) -> bool:
    return is_closed(reader, piece.end) or read_part_of_day(reader, piece.end) is not None
