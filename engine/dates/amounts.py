"""Pieces that count from now (in 3 days, a week from Monday)."""

from __future__ import annotations

from datetime import datetime, timedelta

from engine.dates.days import Reader, read_named_day, read_weekday
from engine.dates.piece import Piece, add_days, add_months, coming_weekday

MINUTES = {"minute": 1, "hour": 60}
DAYS = {"day": 1, "week": 7, "fortnight": 14}
WEEKS = ("week", "fortnight")
MONTHS = {"month": 1, "year": 12}
_LONGEST = 9999
"""Four digits at most, so that no sum leaves the calendar by much."""


def read_amount(reader: Reader, start: int) -> Piece | None:
    """ "3 days" (a date only after "in"), "3 days from now", "a week from Monday", "half an hour"."""
    amount = read_quantity(reader, start)
    if amount is None:
        return _read_counted_weekday(reader, start)
    end, unit, count = amount
    from_now = reader.words.from_now.find(reader.tokens, end)
    if from_now is not None:
        piece = count_from(reader, from_now[0], unit, count, reader.now)
        return piece._replace(kind="instant", firm=True) if piece else None
    from_ = reader.words.from_.find(reader.tokens, end)
    if from_ is not None and unit not in MINUTES:
        base = read_named_day(reader, from_[0]) or read_weekday(reader, from_[0])
        if base is not None and base.day is not None:
            moment = datetime(base.day.year, base.day.month, base.day.day, tzinfo=reader.now.tzinfo)
            piece = count_from(reader, base.end, unit, count, moment)
            return piece._replace(kind="instant", firm=True) if piece else None
    counted = _read_weeks_on(reader, end, unit, count)
    if counted is not None:
        return counted._replace(kind="instant") if _is_led_as_amount(reader, start) else counted
    if reader.word(end) in reader.words.before:
        return None  # "30 minutes before the game": of something that only the user knows
    piece = count_from(reader, end, unit, count, reader.now)
    return piece._replace(weeks=DAYS[unit] * count // 7) if piece and unit in WEEKS else piece


def _read_counted_weekday(reader: Reader, start: int) -> Piece | None:
    """ "two Mondays from now", "fra due lunedì": the second that comes."""
    counted = read_count(reader, start)
    weekday = reader.words.weekdays.find(reader.tokens, counted[0]) if counted and counted[1] > 1 else None
    if counted is None or weekday is None:
        return None
    day = add_days(coming_weekday(reader.today, weekday[1]), DAYS["week"] * (counted[1] - 1))
    from_now = reader.words.from_now.find(reader.tokens, weekday[0])
    end = from_now[0] if from_now else weekday[0]
    return Piece(end, "instant" if from_now else "amount", day=day, anchored=True, firm=True) if day else None


def read_bare_weeks(reader: Reader, start: int) -> Piece | None:
    """ "fortnight on Saturday", "week tomorrow"; a "book week on Monday" is something else."""
    unit = reader.words.units.find(reader.tokens, start)
    if unit is None or (start and unit[1] != "fortnight") or reader.word(start - 1) in reader.words.determiners:
        return None
    return _read_weeks_on(reader, unit[0], unit[1], 1)


def _read_weeks_on(reader: Reader, end: int, unit: str, count: int) -> Piece | None:
    """ "a week on Friday", "a fortnight today"."""
    if unit in MONTHS:  # "a month tomorrow"
        base = read_named_day(reader, end)
        day = add_months(base.day, MONTHS[unit] * count) if base and base.day else None
        return base._replace(day=day) if base and day else None
    if unit not in WEEKS:
        return None
    on = reader.words.weeks_on.find(reader.tokens, end)
    base = read_weekday(reader, on[0]) if on else read_named_day(reader, end)
    day = add_days(base.day, DAYS[unit] * count) if base and base.day else None
    return base._replace(day=day, others=()) if base and day else None


def _is_led_as_amount(reader: Reader, start: int) -> bool:
    """ "in two weeks on Monday": after a preposition that no day of the week stands behind."""
    lead = reader.words.prepositions.find(reader.tokens, start - 1) if start else None
    return lead is not None and lead[0] == start and "weekday" not in reader.words.leads[lead[1].sort]


def read_coming_stretch(reader: Reader, start: int) -> Piece | None:
    """ "the next three days": from today to then."""
    lead = reader.words.next.find(reader.tokens, start)
    amount = read_quantity(reader, lead[0]) if lead else None
    if amount is None or amount[1] in MINUTES:
        return None
    piece = count_from(reader, amount[0], amount[1], amount[2], reader.now)
    if piece is None:
        return None
    return Piece(piece.end, "range", day=reader.today, until=piece.day, firm=True, anchored=True)


def read_quantity(reader: Reader, start: int) -> tuple[int, str, int] | None:
    """The token after it, the unit and how many."""
    half = reader.words.halves.find(reader.tokens, start)
    if half is not None:
        return half[0], half[1][0], half[1][1]
    counted = read_count(reader, start)
    unit = reader.words.units.find(reader.tokens, counted[0]) if counted else None
    if counted is not None and unit is None:  # "two or three days": the first of them
        joint = reader.words.or_.find(reader.tokens, counted[0])
        second = read_count(reader, joint[0]) or _read_glued(reader, joint[0]) if joint else None
        unit = reader.words.units.find(reader.tokens, second[0]) if second and second[1] > counted[1] else None
    if counted is None or unit is None:
        return None
    more = reader.words.or_so.find(reader.tokens, unit[0])  # "a week or so", "a day or two"
    return (more or unit)[0], unit[1], counted[1]


def _read_glued(reader: Reader, start: int) -> tuple[int, int] | None:
    number = reader.number(start)
    return (start + 1, number) if number else None


def read_count(reader: Reader, start: int) -> tuple[int, int] | None:
    """A number in figures or words, "twenty-five" too."""
    number = reader.number(start)
    if number is not None:
        glued = reader.joined(start) and not reader.word(start - 1).isspace()
        return None if glued or number == 0 else (start + 1, number)
    found = reader.words.numbers.find(reader.tokens, start)
    if found is None:
        return None
    end, tens = found
    ones = reader.words.numbers.find(reader.tokens, end + (reader.word(end) == "-")) if tens >= 20 else None
    if ones is not None and ones[1] < 10:
        return ones[0], tens + ones[1]  # "twenty-five minutes"
    return found


def count_from(reader: Reader, end: int, unit: str, count: int, moment: datetime) -> Piece | None:
    """As many units after a moment."""
    if unit in MINUTES:
        instant = moment + timedelta(minutes=MINUTES[unit] * min(count, _LONGEST))
        return Piece(end, "amount", instant=instant.replace(second=0, microsecond=0))
    if unit in DAYS:
        day = add_days(moment.date(), DAYS[unit] * count)
    else:
        day = add_months(moment.date(), MONTHS[unit] * count)
    return Piece(end, "amount", day=day, anchored=True) if day else None
