"""Days of a month: March 10, the 15th, in March."""

from __future__ import annotations

from datetime import date

from engine.dates.amounts import read_count
from engine.dates.days import Reader, read_weekday
from engine.dates.piece import (
    Kind,
    Piece,
    coming_day_of_month,
    coming_month_day,
    make_day,
    month_range,
    named_range,
)
from engine.dates.times import read_clock
from engine.dates.years import read_year

_MARKS = ("-", ".", "/")
"""Between a day and its month: 5-Dec, 5. Dezember."""


def read_ordinal(reader: Reader, start: int, *, marked: bool) -> tuple[int, int] | None:
    """A day of the month, as "15th", "first" or (where no mark is needed) "15"."""
    found = reader.words.ordinals.find(reader.tokens, start)
    if found is not None:
        return found
    number = reader.number(start)
    if number is None or not 1 <= number <= 31:
        return None
    if reader.word(start + 1) in reader.words.ordinal_marks and reader.joined(start + 1):
        return start + 2, number
    return None if marked else (start + 1, number)


def read_month_day(reader: Reader, start: int) -> Piece | None:
    """March 10, 10 March, the 10th of March 2027, 10 marzo."""
    words, tokens = reader.words, reader.tokens
    month = words.months.find(tokens, start)
    if month is not None:
        at = month[0] + (reader.word(month[0]) in (*words.day_articles, ".", "-"))
        day = read_ordinal(reader, at, marked=False) or read_count(reader, at)
        if day is None or (reader.word(at + 1) == ":" and reader.number(at + 2) is not None):
            return None
        end = day[0]
    else:
        day = read_ordinal(reader, start, marked=False)
        if day is None:
            return None
        of = words.of.find(tokens, day[0])
        at = of[0] if of else day[0]
        month = words.months.find(tokens, at + (reader.joined(at) and reader.word(at) in _MARKS))
        if month is None:
            return None
        end = month[0]
    end, year = read_year(reader, end)
    found = make_day(year, month[1], day[1]) if year else coming_month_day(reader.today, month[1], day[1])
    return Piece(end, "monthday", day=found, firm=True, anchored=True, sure=year is not None) if found else None


def read_month(reader: Reader, start: int) -> Piece | None:
    """A month alone; only a preposition makes it a date ("in March")."""
    lead = reader.words.next.find(reader.tokens, start)
    this = reader.words.this.find(reader.tokens, start) if lead is None else None
    end_of = reader.words.end_of.find(reader.tokens, start) if lead is None else None
    at = (lead or this or end_of or (start, ""))[0]
    found = reader.words.months.find(reader.tokens, at)
    if found is None:
        return None
    trail = reader.words.next_after.find(reader.tokens, found[0]) if lead is None else None
    lead = lead or trail
    end, year = read_year(reader, trail[0] if trail else found[0])
    today = reader.today
    said_year = year is not None
    told = said_year and reader.number(end - 1) is None  # "December next year"
    if year is None:
        year = today.year + (found[1] < today.month or (lead is not None and found[1] == today.month))
    if not 1 <= year <= 9998:
        return None
    first, last = month_range(year, found[1])
    if end_of is not None:
        return Piece(end, "monthday", day=last, firm=True, anchored=True)
    led = reader.words.prepositions.find(reader.tokens, start - 1) if start else None  # "in December next year"
    kind: Kind = "range" if (lead or this or told) and (led is None or led[0] != start) else "month"
    day = max(first, today) if last >= today else first
    return Piece(end, kind, day=day, until=last, firm=said_year or lead is not None or this is not None, anchored=True)


def read_day_of_month(reader: Reader, start: int) -> Piece | None:
    """The 15th; "the" and "on the" were read before as its preposition. Italian has no mark but the article: il 15."""
    needs_mark = reader.words.month_first
    found = read_ordinal(reader, start, marked=needs_mark)
    if found is None:
        return None
    end, number = found
    of_end, first_of_month, recurring = _read_of_month(reader, end)
    if first_of_month is not None:
        day = make_day(first_of_month.year, first_of_month.month, number)
        if day is None or day < reader.today:
            day = coming_day_of_month(reader.today, number)
        return Piece(of_end, "monthday", day=day, firm=True, anchored=True, recurring=recurring) if day else None
    if not needs_mark and reader.word(start - 1) not in reader.words.day_articles:
        return None
    day = coming_day_of_month(reader.today, number)
    return Piece(of_end, "dom", day=day, anchored=True) if day else None


def _read_of_month(reader: Reader, end: int) -> tuple[int, date | None, bool]:
    """ "of the month", "of next month", "of every month", "of March": its first day, and whether it repeats."""
    of = reader.words.of.find(reader.tokens, end)
    if of is None:
        return end, None, False
    today = reader.today
    named = reader.words.ranges.find(reader.tokens, of[0])
    if named is not None and named[1] in ("this_month", "next_month"):
        return named[0], named_range(named[1], today)[0].replace(day=1), False
    unit = reader.words.units.find(reader.tokens, of[0])
    if unit is not None and unit[1] == "month":  # "il primo del mese"
        return unit[0], today.replace(day=1), False
    every = reader.words.repeats.find(reader.tokens, of[0])
    if every is not None and every[1] == "month":
        return every[0], today.replace(day=1), True
    month = read_month(reader, of[0])
    if month is not None and month.day is not None:
        return month.end, month.day.replace(day=1), False
    return end, None, False


def read_weekday_with_day(reader: Reader, start: int) -> Piece | None:
    """ "mercoledì 24": only where the 24th is a Wednesday, otherwise the number is something else."""
    weekday = read_weekday(reader, start)
    clock = read_clock(reader, weekday.end) if weekday else None
    number = reader.number(weekday.end) if weekday else None
    if weekday is None or number is None or not 1 <= number <= 31 or (clock is not None and clock.kind != "hour"):
        return None
    marked = reader.word(weekday.end + 1) in reader.words.ordinal_marks and reader.joined(weekday.end + 1)
    if read_month_day(reader, weekday.end) is not None or (
        reader.word(weekday.end + 1) in _MARKS and reader.number(weekday.end + 2) is not None
    ):
        return None  # "mercoledì 24 giugno" and "mer 24/6" are a weekday and a date
    day = coming_day_of_month(reader.today, number)
    if day is None or day.weekday() != weekday.weekday:
        return None
    return weekday._replace(end=weekday.end + 1 + marked, day=day, others=())  # "saturday 14th"
