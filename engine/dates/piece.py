"""A piece of a date phrase ("tomorrow", "at 5", "next week") and the calendar behind it."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple

Kind = Literal[
    "day",  # today, tomorrow, 2027-03-10
    "weekday",  # Friday
    "monthday",  # March 10
    "figure",  # 10/3
    "dom",  # the 15th
    "range",  # next week
    "month",  # (in) March
    "holiday",  # (by) Christmas
    "part",  # in the morning
    "clock",  # 5 pm, 17:30
    "hour",  # (at) 5
    "loose",  # 7.30, half five, ten to four: a time beside a day or after a lead
    "digits",  # 0930, 1430: the same, and more often something else
    "instant",  # 3 days from now
    "amount",  # (in) 3 days
    "repeat",  # every Monday
]

END_OF_DAY = "end_of_day"


class Piece(NamedTuple):
    end: int
    """The token after the last one."""
    kind: Kind
    day: date | None = None
    others: tuple[date, ...] = ()
    """Other days that the same words may mean."""
    until: date | None = None
    """The last day of a range."""
    hour: int | None = None
    minute: int = 0
    twelve: bool = False
    """The hour may be meant before or after noon."""
    usual: str = ""
    """Which half of the day an hour of twelve is likelier in, where something beside it says so: early or late."""
    part: str | None = None
    """morning, noon, afternoon, evening, night; or END_OF_DAY, which has no hour and fits any day."""
    instant: datetime | None = None
    weekday: int | None = None
    weeks: int = 0
    """How many weeks an amount is: "Monday in two weeks"."""
    firm: bool = False
    """A date wherever it stands: "tomorrow", but not "Friday"."""
    sure: bool = False
    """Said with its year: nothing else looks like that."""
    recurring: bool = False
    anchored: bool = False
    """The day was said; without it a time that has passed means tomorrow."""


def add_days(day: date, count: int) -> date | None:
    """None beyond the calendar's end: "in 9999 years" is no date."""
    try:
        return day + timedelta(days=count)
    except OverflowError:
        return None


def add_months(day: date, count: int) -> date | None:
    months = day.year * 12 + day.month - 1 + count
    return make_day(months // 12, months % 12 + 1, min(day.day, last_day(months // 12, months % 12 + 1)))


def last_day(year: int, month: int) -> int:
    if not 1 <= year <= 9998:
        return 28
    return (date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)).day


def make_day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def easter(year: int) -> date:
    """Easter Sunday of the western churches, by the rule of Gauss as Butcher wrote it."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    days = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, days // 31, days % 31 + 1)


def nth_weekday(first: date, weekday: int, count: int) -> date | None:
    """The second Tuesday of a month, or counted from its end the last one (-1); from the month's first day."""
    if count < 0:
        last = first.replace(day=last_day(first.year, first.month))
        day = add_days(last, -((last.weekday() - weekday) % 7) + 7 * (count + 1))
    else:
        day = add_days(first, (weekday - first.weekday()) % 7 + 7 * (count - 1))
    return day if day is not None and day.month == first.month else None


def coming_weekday(today: date, weekday: int, *, today_counts: bool = False) -> date:
    ahead = (weekday - today.weekday()) % 7
    return today + timedelta(days=ahead if ahead or today_counts else 7)


def past_weekday(day: date, weekday: int) -> date:
    """The last one before it."""
    return day - timedelta(days=(day.weekday() - weekday) % 7 or 7)


def weekday_of_next_week(today: date, weekday: int) -> date:
    return today + timedelta(days=7 - today.weekday() + weekday)


def coming_month_day(today: date, month: int, day: int) -> date | None:
    """The next such day; 29 February may be years away."""
    for year in range(today.year, today.year + 9):
        found = make_day(year, month, day)
        if found is not None and found >= today:
            return found
    return None


def coming_day_of_month(today: date, day: int) -> date | None:
    for ahead in range(13):
        months = today.year * 12 + today.month - 1 + ahead
        found = make_day(months // 12, months % 12 + 1, day)
        if found is not None and found >= today:
            return found
    return None


def month_range(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year, month, last_day(year, month))


def named_range(name: str, today: date) -> tuple[date, date]:
    """First and last day of "this week", "next month" and their like; weeks start on Monday."""
    monday = today - timedelta(days=today.weekday())
    next_month = add_months(today.replace(day=1), 1) or today
    after_next_month = add_months(today.replace(day=1), 2) or today
    next_quarter = add_months(today.replace(day=1), 3 - (today.month - 1) % 3) or today
    day = timedelta(days=1)
    saturday, wednesday = monday + 5 * day, monday + (2 + 7 * (today.weekday() > 2)) * day
    ranges = {
        "today": (today, today),
        "this_week": (today, monday + 6 * day),
        "mid_this_week": (wednesday, wednesday),
        "next_week": (monday + 7 * day, monday + 13 * day),
        "week_after_next": (monday + 14 * day, monday + 20 * day),
        "weekend": (max(today, saturday), saturday + day),
        "next_weekend": (saturday + 7 * day, saturday + 8 * day),
        "weekend_after_next": (saturday + 14 * day, saturday + 15 * day),
        "this_month": (today, next_month - day),
        "next_month": (next_month, after_next_month - day),
        "this_quarter": (today, next_quarter - day),
        "next_quarter": (next_quarter, (add_months(next_quarter, 3) or next_quarter) - day),
        "this_year": (today, date(today.year, 12, 31)),
        "next_year": (date(today.year + 1, 1, 1), date(today.year + 1, 12, 31)),
    }
    if name.startswith("start_of_"):
        first = ranges[name.removeprefix("start_of_")][0]
        return first, first
    if name.startswith("end_of_"):
        last = ranges[name.removeprefix("end_of_")][1]
        # The working week ends on Friday, but on a Saturday "the end of the week" can only be Sunday.
        if name.endswith("week") and last - 2 * day >= today:
            last -= 2 * day
        return last, last
    return ranges[name]
