"""The half of the day that a thing says by itself: breakfast at six is in the morning, dinner at eight late."""

from __future__ import annotations

from engine.dates.days import Reader
from engine.dates.piece import Piece

_ENDS = frozenset(",;.:!?\n")
_NEAR = 8
_EARLY, _LATE = range(4, 12), range(5, 12)


def at_its_time(piece: Piece, reader: Reader, start: int) -> Piece:
    """The hour in the morning or the evening, where the same clause names something that is never at another time."""
    words, hour = reader.words, piece.hour
    if not piece.twelve or piece.part is not None or hour is None:
        return piece
    early = hour in _EARLY and _names(words.morning_things, frozenset(), reader, start, piece.end)
    late = hour in _LATE and _names(words.evening_things, words.weak_prepositions, reader, start, piece.end)
    return piece if early == late else piece._replace(usual="early" if early else "late")


def _names(things: frozenset[str], not_after: frozenset[str], reader: Reader, start: int, end: int) -> bool:
    """Whether one of them stands beside; "the cake for the dinner" is something else, and is fetched earlier."""
    tokens = reader.tokens
    first, last = start, end
    while first and start - first < _NEAR and tokens[first - 1].word not in _ENDS:
        first -= 1
    while last < len(tokens) and last - end < _NEAR and tokens[last].word not in _ENDS:
        last += 1
    return any(
        tokens[place].word in things and (place == 0 or tokens[place - 1].word not in not_after)
        for place in range(first, last)
    )
