"""Parts of a month or a week: mid December, early next month, metà settimana; which days they are is data."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from engine.dates.days import Reader, is_at_the_end
from engine.dates.months import read_month
from engine.dates.piece import Piece, add_months, last_day, named_range

_MONTHS, _WEEKS = ("this_month", "next_month"), ("this_week", "next_week", "week_after_next")
_WEEK = timedelta(days=7)


def read_stretch_part(reader: Reader, start: int) -> Piece | None:
    """ "early December": from the 1st; "mid December": the 15th; "late December": its last day."""
    for at, name in reader.words.stretch_parts.find_all(reader.tokens, start):
        found = _in_named(reader, at, name) or _in_stretch(reader, at, name)
        if found is not None and (is_at_the_end(reader, found[0]) or reader.word(found[0]) in reader.words.list_nouns):
            end, first, last = found  # not the "early December newsletter"
            day, until = max(first, reader.today), last if last > first else None
            return Piece(end, "monthday", day=day, until=until, anchored=True)
    return None


def _in_named(reader: Reader, at: int, name: str) -> tuple[int, date, date] | None:
    """Of a month by its name. Silence where that part of this very month is over: nobody means next year's."""
    month = read_month(reader, at)
    if month is None or month.day is None or month.kind != "month":
        return None
    first, last = _days_of_month(reader, name, month.day)
    return (month.end, first, last) if last >= reader.today else None


def _in_stretch(reader: Reader, at: int, name: str) -> tuple[int, date, date] | None:
    """Of "next month", "the week": where it is over, that of the next one."""
    named = reader.words.ranges.find(reader.tokens, at) or reader.words.units.find(reader.tokens, at)
    if named is None:
        return None
    end, stretch = named
    stretch = {"month": "this_month", "week": "this_week"}.get(stretch, stretch)
    if stretch in _MONTHS:
        begin = named_range(stretch, reader.today)[0]
        days: Iterator[tuple[date, date]] = (
            _days_of_month(reader, name, month)
            for ahead in (0, 1)
            if (month := add_months(begin.replace(day=1), ahead))
        )
    elif stretch in _WEEKS and name in reader.words.stretch_days["week"]:
        begin = named_range(stretch, reader.today)[0]
        monday = begin - timedelta(days=begin.weekday())
        first, last = reader.words.stretch_days["week"][name]
        days = ((week + timedelta(days=first), week + timedelta(days=last)) for week in (monday, monday + _WEEK))
    else:
        return None
    return next(((end, *each) for each in days if each[1] >= reader.today), None)


def _days_of_month(reader: Reader, name: str, month: date) -> tuple[date, date]:
    """Days from its end are counted below zero: -1 is the last one."""
    whole = last_day(month.year, month.month)
    first, last = (number if number > 0 else whole + 1 + number for number in reader.words.stretch_days["month"][name])
    return month.replace(day=first), month.replace(day=last)
