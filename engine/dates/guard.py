"""Whether words that could be a date are one here: "on Friday" is, "the Friday report" and "Black Friday" are not.

In the middle of a title only clear words count; at the edges of a message, where people put dates, less is enough.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.dates.days import Reader
from engine.dates.piece import Piece

_ENDINGS = frozenset('.,;:!?)]}"…”»-–—|\n')
_GLUE = frozenset("-/#$€£%_@&+=\\")


@dataclass(frozen=True, slots=True)
class Lead:
    """The preposition before a date, if there is one."""

    said: str = ""
    sort: str = ""


NO_LEAD = Lead()
WITHOUT_LEAD = frozenset({"day", "weekday", "monthday", "figure", "range", "part", "clock", "instant", "repeat"})
"""What may be a date without a preposition. A bare hour, "3 days" and "March" may not."""


def kinds_after(reader: Reader, lead: Lead) -> frozenset[str]:
    return reader.words.leads[lead.sort] if lead.sort else WITHOUT_LEAD


def is_date(reader: Reader, start: int, first: int, piece: Piece, lead: Lead) -> bool:
    """`start` is the first token of the phrase, `first` the first one after its preposition."""
    if _is_glued(reader, start, piece.end):
        return False
    before = reader.word(start - 1)
    if not lead.said and before in reader.words.determiners:
        return False
    closed = _is_closed(reader, piece.end)
    if lead.said:
        return _after_lead(reader, before, first, piece, lead, closed=closed)
    return _alone(reader, start, first, piece, closed=closed)


def _after_lead(reader: Reader, before: str, first: int, piece: Piece, lead: Lead, *, closed: bool) -> bool:
    words = reader.words
    if piece.kind == "dom" and not piece.firm:
        bare_article = lead.said in words.day_articles
        return closed and not (bare_article and before in words.not_before_ordinal)
    if piece.kind in ("hour", "month", "figure"):
        doubtful = reader.word(first) in words.doubtful and lead.said in words.weak_prepositions
        return closed and not doubtful
    if lead.said in words.weak_prepositions and piece.kind in ("weekday", "repeat", "range"):
        return closed or reader.word(piece.end) in words.list_nouns
    return True


def _alone(reader: Reader, start: int, first: int, piece: Piece, *, closed: bool) -> bool:
    words = reader.words
    following = reader.word(piece.end)
    if piece.kind in ("day", "instant") or (piece.kind == "part" and piece.day is not None):
        return True
    if piece.kind == "range" and not piece.firm:
        return False
    if reader.word(first) in words.doubtful and piece.kind == "weekday" and not piece.firm:
        return False  # "sat", "sun" and "wed" need a preposition or a time
    at_start = start == 0 or reader.word(start - 1) in (",", ":", ";", ".")
    if at_start and (piece.firm or following in words.after_leading_day):
        return True
    return closed or following in words.list_nouns


def _is_closed(reader: Reader, end: int) -> bool:
    """Nothing follows that the words could describe: "call mum Friday", but not "Friday roast"."""
    following = reader.word(end)
    if following == "'":
        return False
    return not following or following in _ENDINGS or following in reader.words.followers


def _is_glued(reader: Reader, start: int, end: int) -> bool:
    """Part of a longer word or figure: mid-March, 5pm-ish, #12, 2.10."""
    if start > 0 and reader.joined(start) and reader.word(start - 1) in _GLUE | {".", "'"}:
        return not (reader.word(start - 1) == "'" and not reader.joined(start - 1))
    if end >= len(reader.tokens) or not reader.joined(end):
        return False
    following = reader.word(end)
    if following in _GLUE or following in ".:,'":
        return end + 1 < len(reader.tokens) and reader.joined(end + 1) and following != ","
    return following[0].isalnum()
