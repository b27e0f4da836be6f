"""Feasts: on a fixed day (Boxing Day), told from Easter (Easter Monday) or on a weekday of a month (Thanksgiving)."""

from __future__ import annotations

from datetime import date, timedelta

from engine.dates.days import Reader
from engine.dates.piece import Piece, add_days, easter, make_day, nth_weekday
from engine.dates.words import FeastRule
from engine.dates.years import read_year


def read_holiday(reader: Reader, start: int) -> Piece | None:
    """ "by Christmas"; a feast whose name is also a season's is without a preposition more often part of a title."""
    found = reader.words.feasts.find(reader.tokens, start)
    if found is None:
        return None
    season = reader.words.season_holidays.find(reader.tokens, start)
    end, year = read_year(reader, found[0])
    day = _day_in(year, found[1]) if year else _coming(reader.today, found[1])
    is_day = season is None or season[0] != found[0]
    return Piece(end, "holiday", day=day, anchored=True, firm=is_day, sure=year is not None) if day else None


def _coming(today: date, feast: FeastRule) -> date | None:
    days = (_day_in(today.year + ahead, feast) for ahead in (0, 1))
    return next((day for day in days if day is not None and day >= today), None)


def _day_in(year: int, feast: FeastRule) -> date | None:
    if not 1 <= year <= _LAST_YEAR:
        return None
    if feast.table == "easter_days":
        return add_days(easter(year), feast.rule)
    if feast.table == "holidays":
        return make_day(year, *feast.rule)
    month, count, weekday, later = feast.rule
    day = nth_weekday(date(year, month, 1), weekday, count)
    return day + timedelta(days=later) if day else None


_LAST_YEAR = 9990
