"""Bare hours: "make it 6", "sorry, seven". They are times only where nothing but a time can be meant."""

from __future__ import annotations

from datetime import datetime

from engine.dates.days import Reader
from engine.dates.guard import counts_units
from engine.dates.match import DateMatch, make_match
from engine.dates.read import read_piece
from engine.dates.tokens import tokenize
from engine.dates.words import DateWords

_HOUR = frozenset({"hour", "loose", "clock"})


def find_hours(text: str, now: datetime, words: DateWords) -> tuple[DateMatch, ...]:
    """Everything in a text that could be an hour."""
    reader = Reader(tokenize(text), words, now, in_talk=True)
    found = []
    place = 0
    while place < len(reader.tokens):
        piece = read_piece(reader, place, _HOUR)
        if piece is not None and counts_units(reader, piece):
            place, piece = piece.end, None
            continue
        if piece is not None:
            found.append(make_match(text, reader, place, piece))
        place = piece.end if piece is not None else place + 1
    return tuple(found)
