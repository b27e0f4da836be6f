"""Days told from another that is named: two days before Christmas, the day after the 25th, il venerdì prima di Pasqua;
and the week in which one is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta

from engine.dates.amounts import DAYS, MONTHS, read_quantity
from engine.dates.calendar.feasts import read_holiday
from engine.dates.calendar.nth import read_nth
from engine.dates.days import Reader
from engine.dates.months import read_day_of_month, read_month_day
from engine.dates.numeric import read_numeric_day
from engine.dates.piece import Piece, add_days, add_months, coming_weekday

_SATURDAY = 5
DaysFrom = Callable[[date, int], tuple[date, date] | None]


def read_told_from(reader: Reader, start: int) -> Piece | None:
    """A number of days or weeks, a day of the week or "the day" before or after a day that is named."""
    if not reader.may_say(reader.words.told_from):
        return None
    for end, days_from in _what_is_counted(reader, start):
        told = reader.words.told_from.find(reader.tokens, end)
        base = _read_base(reader, told[0]) if told else None
        days = days_from(base.day, told[1]) if told and base and base.day else None
        if base is None or days is None or days[1] < reader.today:
            continue
        until = days[1] if days[1] > days[0] else None
        return Piece(base.end, "monthday", day=max(days[0], reader.today), until=until, firm=True, anchored=True)
    return None


def _what_is_counted(reader: Reader, start: int) -> Iterator[tuple[int, DaysFrom]]:
    """Each way to read it, with the token after it and how days are counted from a day so, later (1) or earlier."""
    words, tokens = reader.words, reader.tokens
    first = words.nth.find(tokens, start)
    start = first[0] if first is not None and first[1] == 1 else start  # "the first Saturday after Easter"
    if (weekday := words.weekdays.find(tokens, start)) is not None:
        number = weekday[1]
        yield weekday[0], lambda base, sign: _by_weekday(base, number, sign)
    if (unit := words.units.find(tokens, start)) is not None:
        name = unit[1]
        yield unit[0], lambda base, sign: _by_amount(base, name, 1, sign, whole=True)
    if (named := words.ranges.find(tokens, start)) is not None and named[1] == "weekend":
        yield named[0], _weekend
    if (amount := read_quantity(reader, start)) is not None:
        end, each, count = amount
        yield end, lambda base, sign: _by_amount(base, each, count, sign, whole=False)


def read_week_of(reader: Reader, start: int) -> Piece | None:
    """ "the week of the 7th": from Monday to Sunday, what is left of it; "the weekend of the 12th"."""
    found = reader.words.week_of.find(reader.tokens, start)
    base = _read_base(reader, found[0]) if found else None
    if base is None or base.day is None:
        return None
    monday = base.day - timedelta(days=base.day.weekday())
    first, sunday = add_days(monday, _SATURDAY if found and found[1] == "weekend" else 0), add_days(monday, 6)
    if first is None or sunday is None:
        return None
    return Piece(base.end, "range", day=max(first, reader.today), until=sunday, firm=True, anchored=True)


def _read_base(reader: Reader, start: int) -> Piece | None:
    at = start + (reader.word(start) in reader.words.day_articles)
    for read in (read_holiday, read_month_day, read_nth, read_numeric_day, read_day_of_month):
        piece = read(reader, at)
        if piece is not None and piece.day is not None:
            return piece
    return None


def _weekend(base: date, sign: int) -> tuple[date, date] | None:
    saturday = _by_weekday(base, _SATURDAY, sign)
    sunday = add_days(saturday[0], 1) if saturday else None
    return (saturday[0], sunday) if saturday and sunday else None


def _by_weekday(base: date, weekday: int, sign: int) -> tuple[date, date] | None:
    day = coming_weekday(base, weekday) if sign > 0 else add_days(base, -((base.weekday() - weekday) % 7 or 7))
    return (day, day) if day else None


def _by_amount(base: date, unit: str, count: int, sign: int, *, whole: bool) -> tuple[date, date] | None:
    """ "The week before Christmas" is all seven days, "a week before Christmas" is one."""
    if unit in DAYS:
        day = add_days(base, sign * DAYS[unit] * count)
    elif unit in MONTHS:
        day = add_months(base, sign * MONTHS[unit] * count)
    else:
        return None
    near = add_days(base, sign)
    if day is None or near is None:
        return None
    return (min(day, near), max(day, near)) if whole and unit == "week" else (day, day)
