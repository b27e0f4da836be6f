"""Days written in figures: 2027-03-10, 10/3, 10.03.2027, 23.11."""

from __future__ import annotations

from datetime import date

from engine.dates.days import Reader
from engine.dates.piece import Piece, coming_month_day, make_day


def read_numeric_day(reader: Reader, start: int) -> Piece | None:
    first, mark, second = reader.number(start), reader.word(start + 1), reader.number(start + 2)
    if first is None or second is None or mark not in ("-", "/", "."):
        return None
    third = reader.number(start + 4) if reader.word(start + 3) == mark else None
    if third is None and mark != "." and reader.word(start + 3) == mark:
        return None  # 1/2/x is a path, not a date
    if first >= 1000:
        return _iso(reader, start, first, second, third)
    if mark == "-" and third is None:
        return None  # 10-15 is a range of anything
    if mark == "." and third is None:
        return _dotted(reader, start, first, second)
    if mark == "." and third is not None and third < 1000 and not _is_short_year(reader, start, first):
        return None  # 1.2.3 is a version
    year = _full_year(third)
    readings = _readings(reader, first, second, year)
    if not readings:
        return None
    end = start + 3 if third is None else start + 5
    firm = third is not None and (mark != "." or third >= 1000)
    return Piece(end, "figure", readings[0], tuple(readings[1:]), firm=firm, anchored=True)


def _dotted(reader: Reader, start: int, day: int, month: int) -> Piece | None:
    """ "23.11." and "on 23.11": a day and its month; 2.10 alone is a version, and 8.15 a time."""
    glued = reader.joined(start + 1) and reader.joined(start + 2) and reader.length(start + 2) <= _TWO
    if not glued or not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    end = start + 3
    if reader.word(end) == "." and reader.joined(end):
        closes = reader.word(end + 1) == ""  # "at 8.10." ends a sentence
        if _may_be_time(reader, start) or (closes and day < 24 and (month % 5 == 0 or reader.length(end - 1) < _TWO)):
            return None
        end += 1
    elif reader.word(start - 1) not in reader.words.before_dotted_days:
        return None
    found = coming_month_day(reader.today, month, day)
    if found is None:
        return None
    swapped = coming_month_day(reader.today, day, month) if day <= 12 and reader.words.month_first else None
    return Piece(end, "figure", found, (swapped,) if swapped and swapped != found else (), anchored=True)


def _may_be_time(reader: Reader, start: int) -> bool:
    """After "at" or a day."""
    lead = reader.words.prepositions.find(reader.tokens, start - 1) if start else None
    timed = lead is not None and lead[1].sort in ("time", "sharp")
    return timed or any(
        start and table.find(reader.tokens, start - 1) is not None
        for table in (reader.words.days, reader.words.weekdays)
    )


def _is_short_year(reader: Reader, start: int, first: int) -> bool:
    """ "23.11.26"."""
    return reader.length(start + 4) == _TWO and (
        first > 12 or reader.word(start - 1) in reader.words.before_dotted_days
    )


_TWO = 2


def _iso(reader: Reader, start: int, year: int, month: int, day: int | None) -> Piece | None:
    found = make_day(year, month, day) if day is not None else None
    if found is None:
        return None
    end = start + 5
    hour, minute = reader.number(end + 1), reader.number(end + 3)
    if reader.word(end) == "t" and hour is not None and hour < 24 and minute is not None and minute < 60:
        end += 4
        if reader.word(end) == ":" and reader.number(end + 1) is not None:
            end += 2
        if reader.word(end) == "z" and reader.joined(end):
            end += 1
        return Piece(end, "day", found, hour=hour, minute=minute, firm=True, anchored=True)
    return Piece(end, "day", found, firm=True, anchored=True)


def _full_year(year: int | None) -> int | None:
    return year + 2000 if year is not None and year < 100 else year


def _readings(reader: Reader, first: int, second: int, year: int | None) -> list[date]:
    """Month first or day first, as the language prefers; the other order is the alternative."""
    orders = [(first, second), (second, first)]
    if not reader.words.month_first:
        orders.reverse()
    days = [
        make_day(year, month, day) if year is not None else coming_month_day(reader.today, month, day)
        for month, day in orders
        if 1 <= month <= 12 and 1 <= day <= 31
    ]
    return list(dict.fromkeys(day for day in days if day is not None))
