"""Days of a month: March 10, the 15th, the second Tuesday of the month, in March."""

from __future__ import annotations

from datetime import date, timedelta

from engine.dates.amounts import read_count
from engine.dates.days import Reader, read_weekday
from engine.dates.piece import (
    Piece,
    add_months,
    coming_day_of_month,
    coming_month_day,
    make_day,
    month_range,
    named_range,
)
from engine.dates.times import read_clock


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


def _read_year(reader: Reader, start: int) -> tuple[int, int | None]:
    at = start + 1 if reader.word(start) in (",", "del") else start
    year = reader.number(at)
    after = reader.word(at + 1)
    if year is not None and 1990 <= year <= 2200 and after not in ("am", "pm"):
        return at + 1, year
    return start, None


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
        month = words.months.find(tokens, of[0] if of else day[0])
        if month is None:
            return None
        end = month[0]
    end, year = _read_year(reader, end)
    found = make_day(year, month[1], day[1]) if year else coming_month_day(reader.today, month[1], day[1])
    return Piece(end, "monthday", day=found, firm=True, anchored=True, sure=year is not None) if found else None


def read_month(reader: Reader, start: int) -> Piece | None:
    """A month alone; only a preposition makes it a date ("in March")."""
    lead = reader.words.next.find(reader.tokens, start)
    end_of = reader.words.end_of.find(reader.tokens, start) if lead is None else None
    at = (lead or end_of or (start, ""))[0]
    found = reader.words.months.find(reader.tokens, at)
    if found is None:
        return None
    end, year = _read_year(reader, found[0])
    today = reader.today
    said_year = year is not None
    if year is None:
        year = today.year + (found[1] < today.month or (lead is not None and found[1] == today.month))
    if not 1 <= year <= 9998:
        return None
    first, last = month_range(year, found[1])
    if end_of is not None:
        return Piece(end, "monthday", day=last, firm=True, anchored=True)
    return Piece(
        end, "month", day=max(first, today) if last >= today else first, until=last, firm=said_year, anchored=True
    )


def read_day_of_month(reader: Reader, start: int) -> Piece | None:
    """The 15th; "the" and "on the" were read before as its preposition. Italian has no mark but the article: il 15."""
    needs_mark = reader.words.month_first
    if not needs_mark and reader.word(start - 1) not in reader.words.day_articles:
        return None
    found = read_ordinal(reader, start, marked=needs_mark)
    if found is None:
        return None
    end, number = found
    of_end, first_of_month, recurring = _read_of_month(reader, end)
    if first_of_month is not None:
        day = make_day(first_of_month.year, first_of_month.month, number)
        if day is not None and day >= reader.today:
            return Piece(of_end, "dom", day=day, firm=True, anchored=True, recurring=recurring)
    day = coming_day_of_month(reader.today, number)
    if day is None:
        return None
    return Piece(of_end, "dom", day=day, firm=first_of_month is not None, anchored=True, recurring=recurring)


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


def read_nth_weekday(reader: Reader, start: int) -> Piece | None:
    """ "second Tuesday of the month"; one that has passed means next month's."""
    ordinal = read_ordinal(reader, start, marked=True)
    weekday = reader.words.weekdays.find(reader.tokens, ordinal[0]) if ordinal else None
    if ordinal is None or weekday is None or ordinal[1] > 5:
        return None
    end, first, recurring = _read_of_month(reader, weekday[0])
    if first is None:
        return None
    for ahead in range(12):
        month = add_months(first, ahead) or first
        day = month + timedelta(days=(weekday[1] - month.weekday()) % 7 + 7 * (ordinal[1] - 1))
        if day.month == month.month and day >= reader.today:
            return Piece(end, "dom", day=day, firm=True, anchored=True, recurring=recurring)
    return None


def read_weekday_with_day(reader: Reader, start: int) -> Piece | None:
    """ "mercoledì 24": only where the 24th is a Wednesday, otherwise the number is something else."""
    weekday = read_weekday(reader, start)
    clock = read_clock(reader, weekday.end) if weekday else None
    number = reader.number(weekday.end) if weekday else None
    if weekday is None or number is None or not 1 <= number <= 31 or (clock is not None and clock.kind != "hour"):
        return None
    if reader.words.months.find(reader.tokens, weekday.end + 1) is not None:
        return None  # "mercoledì 24 giugno" is a weekday and a date
    day = coming_day_of_month(reader.today, number)
    if day is None or day.weekday() != weekday.weekday:
        return None
    marked = reader.word(weekday.end + 1) in reader.words.ordinal_marks and reader.joined(weekday.end + 1)
    return weekday._replace(end=weekday.end + 1 + marked, day=day, others=())  # "saturday 14th"


def read_holiday(reader: Reader, start: int) -> Piece | None:
    """ "by Christmas"; without a preposition it is more often part of a title."""
    found = reader.words.holidays.find(reader.tokens, start)
    day = coming_month_day(reader.today, *found[1]) if found else None
    return Piece(found[0], "holiday", day=day, anchored=True) if found and day else None
