"""Days from one to another of one month: 7-11 December, the 3rd to the 7th of March, dal 3 al 7 dicembre."""

from __future__ import annotations

from engine.dates.days import Reader, is_at_the_end
from engine.dates.months import read_month_day, read_ordinal
from engine.dates.piece import Piece, add_months, make_day
from engine.dates.times import is_moved, read_clock


def read_day_stretch(reader: Reader, start: int) -> Piece | None:
    """Only where one of the days is said with its month: "from 3 to 7" may be hours."""
    words, tokens = reader.words, reader.tokens
    if not reader.may_say(words.day_till) or not reader.may_say(words.months):
        return None
    if words.months.find(tokens, start) is not None:
        return _read_month_first(reader, start)
    first = read_ordinal(reader, start, marked=False)
    joint = words.day_till.find(tokens, first[0]) if first else None
    if first is None or joint is None or not _is_led(reader, start, joint[1]) or is_moved(reader, start):
        return None
    last = read_month_day(reader, joint[0])
    if last is None or last.day is None or words.months.find(tokens, joint[0]) is not None:
        return None
    day = make_day(last.day.year, last.day.month, first[1])
    if first[1] > last.day.day:  # "28 to 3 December" begins in November
        month = add_months(last.day.replace(day=1), -1)
        day = make_day(month.year, month.month, first[1]) if month else None
    if day is None or day == last.day:
        return None
    return last._replace(day=max(day, reader.today), until=last.day)


def _read_month_first(reader: Reader, start: int) -> Piece | None:
    """ "December 7-11"; "December 7, 3 to 5 pm" and "December 7 to 11 am" are something else."""
    first = read_month_day(reader, start)
    joint = reader.words.day_till.find(reader.tokens, first.end) if first else None
    last = read_ordinal(reader, joint[0], marked=False) if joint and not joint[1] else None
    if first is None or first.day is None or last is None or first.sure or is_moved(reader, start):
        return None
    clock = read_clock(reader, joint[0]) if joint else None
    until = make_day(first.day.year, first.day.month, last[1])
    if until is None or until <= first.day or (clock is not None and clock.kind != "hour"):
        return None
    return first._replace(end=last[0], until=until) if is_at_the_end(reader, last[0]) else None


def _is_led(reader: Reader, start: int, lead: str) -> bool:
    """ "3 and 7 December" are two days, "between 3 and 7 December" are five."""
    leads, before = lead.split(), reader.word(start - 1)
    behind_article = before in reader.words.day_articles and before not in leads
    return not leads or (reader.word(start - 2) if behind_article else before) in leads
