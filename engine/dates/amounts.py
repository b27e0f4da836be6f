"""Pieces that count from now (in 3 days, a week from Monday) or repeat (every Monday)."""

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
        return None
    end, unit, count = amount
    from_now = reader.words.from_now.find(reader.tokens, end)
    if from_now is not None:
        piece = _from(reader, from_now[0], unit, count, reader.now)
        return piece._replace(kind="instant", firm=True) if piece else None
    from_ = reader.words.from_.find(reader.tokens, end)
    if from_ is not None and unit not in MINUTES:
        base = read_named_day(reader, from_[0]) or read_weekday(reader, from_[0])
        if base is not None and base.day is not None:
            moment = datetime(base.day.year, base.day.month, base.day.day, tzinfo=reader.now.tzinfo)
            piece = _from(reader, base.end, unit, count, moment)
            return piece._replace(kind="instant", firm=True) if piece else None
    counted = _read_weeks_on(reader, end, unit, count)
    if counted is not None:
        return counted
    if reader.word(end) in reader.words.before:
        return None  # "30 minutes before the game": of something that only the user knows
    return _from(reader, end, unit, count, reader.now)


def _read_weeks_on(reader: Reader, end: int, unit: str, count: int) -> Piece | None:
    """ "a week on Friday", "a fortnight today"."""
    if unit not in WEEKS:
        return None
    on = reader.words.weeks_on.find(reader.tokens, end)
    base = read_weekday(reader, on[0]) if on else read_named_day(reader, end)
    day = add_days(base.day, DAYS[unit] * count) if base and base.day else None
    return base._replace(day=day, others=()) if base and day else None


def read_coming_stretch(reader: Reader, start: int) -> Piece | None:
    """ "the next three days": from today to then."""
    lead = reader.words.next.find(reader.tokens, start)
    amount = read_quantity(reader, lead[0]) if lead else None
    if amount is None or amount[1] in MINUTES:
        return None
    piece = _from(reader, amount[0], amount[1], amount[2], reader.now)
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
    if counted is None or unit is None:
        return None
    return unit[0], unit[1], counted[1]


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


def _from(reader: Reader, end: int, unit: str, count: int, moment: datetime) -> Piece | None:
    if unit in MINUTES:
        instant = moment + timedelta(minutes=MINUTES[unit] * min(count, _LONGEST))
        return Piece(end, "amount", instant=instant.replace(second=0, microsecond=0))
    if unit in DAYS:
        day = add_days(moment.date(), DAYS[unit] * count)
    else:
        day = add_months(moment.date(), MONTHS[unit] * count)
    return Piece(end, "amount", day=day, anchored=True) if day else None


def read_repeat(reader: Reader, start: int) -> Piece | None:
    """every Monday, every 2 weeks, daily, tutti i giorni; the day is the first of them."""
    named = reader.words.repeats.find(reader.tokens, start)
    if named is not None:
        said = " ".join(token.word for token in reader.tokens[start : named[0]])
        return _first_of(reader, named[0], named[1])._replace(firm=said not in reader.words.soft_repeats)
    every = reader.words.every.find(reader.tokens, start)
    if every is None:
        return None
    other = reader.words.other.find(reader.tokens, every[0])
    at = other[0] if other else every[0]
    weekday = read_weekday(reader, at)
    if weekday is not None:
        return _add_weekdays(reader, weekday._replace(kind="repeat", recurring=True, firm=True))
    unit = reader.words.units.find(reader.tokens, at)
    if unit is not None and unit[1] not in MINUTES:
        return _first_of(reader, unit[0], unit[1])
    amount = (unit[0], unit[1], 1) if unit is not None else read_quantity(reader, at)
    if amount is None:
        return None
    piece = _from(reader, amount[0], amount[1], amount[2], reader.now)
    if piece is None:
        return None
    day = reader.today if piece.instant is None else None
    return piece._replace(kind="repeat", day=day, recurring=True, firm=True)


def _add_weekdays(reader: Reader, first: Piece) -> Piece:
    """ "every Monday, Wednesday and Friday": the first of them that comes."""
    piece = first
    for _ in range(6):
        joint = reader.words.and_.find(reader.tokens, piece.end)
        weekday = read_weekday(reader, joint[0]) if joint else None
        if weekday is None or weekday.day is None or piece.day is None:
            break
        piece = piece._replace(end=weekday.end, day=min(piece.day, weekday.day), others=())
    return piece


def _first_of(reader: Reader, end: int, name: str) -> Piece:
    today = reader.today
    if name in reader.words.part_hours:
        return Piece(end, "repeat", part=name, recurring=True, firm=True)
    if name == "weekend":
        today = today if today.weekday() >= 5 else coming_weekday(today, 5)
    elif name == "weekday":
        today = today if today.weekday() < 5 else coming_weekday(today, 0)
    # A time that has passed today moves "daily" to tomorrow: the day is not anchored.
    return Piece(end, "repeat", day=today, recurring=True, firm=True, anchored=name not in ("day", "week"))
