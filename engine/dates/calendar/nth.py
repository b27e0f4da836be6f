"""Counted days of a month: the second Tuesday of the month, the last Friday in November, the first week of March."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from engine.dates.days import Reader
from engine.dates.months import read_month, read_ordinal
from engine.dates.piece import Piece, add_months, last_day, named_range, nth_weekday

_SATURDAY = 5
_WEEK = 7
_MOST = 5
_YEAR = 12


class _Month(NamedTuple):
    end: int
    first: date
    step: int
    """Months to the next one that the same words may mean; 0 where the year was said."""
    recurring: bool = False


def read_nth(reader: Reader, start: int) -> Piece | None:
    """ "second Tuesday of the month", "the last weekend in May"; one that has passed means the next there is."""
    if not reader.may_say(reader.words.in_month) and not reader.may_say(reader.words.months):
        return None
    count = _read_count(reader, start)
    thing = _read_thing(reader, count[0]) if count else None
    month = _read_month(reader, thing[0]) if thing else None
    if count is None or thing is None or month is None:
        return None
    for ahead in range(_YEAR if month.step else 1):
        first = add_months(month.first, ahead * month.step)
        days = _days_of(first, thing[1], count[1]) if first else None
        if days is not None and days[1] >= reader.today:
            day, until = max(days[0], reader.today), days[1] if days[1] > days[0] else None
            return Piece(month.end, "monthday", day=day, until=until, firm=True, anchored=True, sure=True,
                         recurring=month.recurring)  # fmt: skip
    return None


def _read_count(reader: Reader, start: int) -> tuple[int, int] | None:
    named = reader.words.nth.find(reader.tokens, start)
    found = named or read_ordinal(reader, start, marked=True)
    return found if found is not None and found[1] <= _MOST else None


def _read_thing(reader: Reader, start: int) -> tuple[int, int | str] | None:
    weekday = reader.words.weekdays.find(reader.tokens, start)
    return weekday or reader.words.nth_things.find(reader.tokens, start)


def _read_month(reader: Reader, start: int) -> _Month | None:
    """ "of the month", "of next month", "of every month", "in March 2027", "del mese"."""
    joint = reader.words.in_month.find(reader.tokens, start)
    at = joint[0] if joint else start
    this = reader.today.replace(day=1)
    named = reader.words.ranges.find(reader.tokens, at)
    if named is not None and named[1] in ("this_month", "next_month"):
        return _Month(named[0], named_range(named[1], reader.today)[0].replace(day=1), 1)
    every = reader.words.repeats.find(reader.tokens, at)
    if joint is not None and every is not None and every[1] == "month":
        return _Month(every[0], this, 1, recurring=True)
    unit = reader.words.units.find(reader.tokens, at)
    if joint is not None and unit is not None and unit[1] == "month":
        return _Month(unit[0], this, 1)
    month = read_month(reader, at)
    if month is None or month.day is None:
        return None
    return _Month(month.end, month.day.replace(day=1), 0 if month.firm else _YEAR)


def _days_of(first: date, thing: int | str, count: int) -> tuple[date, date] | None:
    """The first and the last of the days that are counted so; None where the month has not as many."""
    last = first.replace(day=last_day(first.year, first.month))
    if isinstance(thing, int):
        day = nth_weekday(first, thing, count)
        return (day, day) if day else None
    if thing == "weekend":
        saturday = nth_weekday(first, _SATURDAY, count)
        return (saturday, saturday + timedelta(days=1)) if saturday else None
    if thing == "week":
        day = first + timedelta(days=_WEEK * (count - 1)) if count > 0 else last - timedelta(days=-_WEEK * count - 1)
        return (day, min(day + timedelta(days=_WEEK - 1), last)) if day.month == first.month else None
    days = [first + timedelta(days=ahead) for ahead in range(last.day)]
    if thing == "working_day":
        days = [day for day in days if day.weekday() < _SATURDAY]
    chosen = days[count - 1 if count > 0 else count]
    return chosen, chosen
