"""Days written in figures: 2027-03-10, 10/3, 10.03.2027."""

from __future__ import annotations

from datetime import date

from engine.dates.days import Reader
from engine.dates.piece import Piece, coming_month_day, make_day


def read_numeric_day(reader: Reader, start: int) -> Piece | None:
    first, mark, second = reader.number(start), reader.word(start + 1), reader.number(start + 2)
    if first is None or second is None or mark not in ("-", "/", "."):
        return None
    third = reader.number(start + 4) if reader.word(start + 3) == mark else None
    if third is None and reader.word(start + 3) == mark:
        return None  # 1/2/x is a path, not a date
    if first >= 1000:
        return _iso(reader, start, first, second, third)
    if mark == "-" and third is None:
        return None  # 10-15 is a range of anything
    if mark == "." and (third is None or third < 1000):
        return None  # 2.10 is a version, 1.2.3 as well
    year = _full_year(third)
    readings = _readings(reader, first, second, year)
    if not readings:
        return None
    end = start + 3 if third is None else start + 5
    return Piece(end, "figure", readings[0], tuple(readings[1:]), firm=third is not None, anchored=True)


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
