"""Times in four figures: 0930 tomorrow, at 1430. They are more often a year, a room, a PIN or a price."""

from __future__ import annotations

from engine.dates.days import Reader
from engine.dates.piece import Piece
from engine.dates.words import Lead

_LENGTH = 4
_YEARS = range(1900, 2060)
_LATE = 1000
"""Before it four figures begin with a nought."""
_LOOKS_BACK = 3
_FIVE, _QUARTER = 5, 15


def read_digits(reader: Reader, start: int) -> Piece | None:
    number = reader.number(start)
    if number is None or not _is_clock(reader, start):
        return None
    if reader.joined(start) and reader.word(start - 1)[-1:].isalnum() and reader.word(start - 1) not in (
        reader.words.hour_letters
    ):  # fmt: skip
        return None
    end = start + 1
    till = reader.words.till.find(reader.tokens, end)
    if till is not None and till[1] in ("", reader.word(start - 1)) and _is_clock(reader, till[0]):
        end = till[0] + 1  # "0900-1030": the beginning counts
    said = reader.words.clock_units.find(reader.tokens, end)
    return Piece(said[0] if said else end, "digits", hour=number // 100, minute=number % 100)


def _is_clock(reader: Reader, start: int) -> bool:
    number = reader.number(start)
    return number is not None and reader.length(start) == _LENGTH and number // 100 <= 23 and number % 100 <= 59


def are_time_after(reader: Reader, first: int, piece: Piece, lead: Lead, *, closed: bool) -> bool:
    """After a preposition: "at 1430"; not "in 2030", nor "for 1500", which may be a price."""
    if not closed or lead.said not in reader.words.digit_leads:
        return False
    if any(reader.word(place) in reader.words.labels for place in range(first - _LOOKS_BACK, first)):
        return False  # "change the PIN to 1430"
    if reader.length(first) == _LENGTH and (reader.number(first) or 0) < _LATE:
        return True
    if lead.sort != "time" and reader.number(first) in _YEARS:
        return False
    return lead.said not in reader.words.weak_prepositions or (piece.minute > 0 and piece.minute % _QUARTER == 0)


def are_time_behind(reader: Reader, first: int, day: Piece, said: str) -> bool:
    """Behind a day: "tomorrow 1430", "Friday at 0930"; "7 December, 2030" is a year."""
    number = reader.number(first) or 0
    if said in reader.words.weak_prepositions or (day.kind not in ("day", "weekday", "part") and number in _YEARS):
        return False
    return number < _LATE or said in reader.words.digit_leads or number % _FIVE == 0


def are_time_behind_opener(reader: Reader, first: int, piece: Piece) -> bool:
    """ "make it 0930"; "make it 1500" may be any number."""
    number = reader.number(first) or 0
    return number < _LATE or (piece.minute > 0 and number not in _YEARS)


def are_time_before_day(reader: Reader, first: int) -> bool:
    """ "0930 tomorrow", also behind a name; "1430 tomorrow" only where nothing stands before: "pay 1500 tomorrow"."""
    led = reader.words.prepositions.find(reader.tokens, first - 1) if first else None
    return first == 0 or led is not None or (reader.number(first) or 0) < _LATE


def are_time_alone(reader: Reader, first: int) -> bool:
    number = reader.number(first) or 0
    return number not in _YEARS and number % _FIVE == 0
