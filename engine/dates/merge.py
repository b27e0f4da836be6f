"""Pieces that stand together make one date: "tomorrow" + "at 5", "Monday" + "August 21"."""

from __future__ import annotations

from datetime import timedelta

from engine.dates.piece import END_OF_DAY, Piece

_TIMES = ("clock", "hour", "loose", "digits", "part")


def merge(first: Piece, second: Piece) -> Piece | None:
    """The two as one, or None where they are two dates or no date together."""
    if END_OF_DAY in (first.part, second.part):  # "Friday EOD", "by the end of the day tomorrow"
        day = second if first.part == END_OF_DAY else first
        return day._replace(end=second.end) if day.kind in ("day", "weekday", "monthday", "dom") else None
    if second.kind in _TIMES and second.day is None:
        return _add_time(first, second)
    if first.kind in _TIMES and first.day is None:
        return _add_day(first, second)
    if second.kind == "part":  # "tomorrow tonight", "at 8 tonight at ..."
        return first._replace(end=second.end, part=second.part) if first.part is None and first.hour is None else None
    return _join_days(first, second)


def _add_time(first: Piece, second: Piece) -> Piece | None:
    if first.instant is not None or first.kind == "month":
        return None
    if second.kind == "part":
        if first.part is not None:
            return None
        return first._replace(end=second.end, part=second.part)
    if first.hour is not None:
        return None
    firm = first.firm or first.kind == "weekday"
    return first._replace(
        end=second.end, hour=second.hour, minute=second.minute, twelve=second.twelve, until=None, firm=firm
    )


def _add_day(time: Piece, second: Piece) -> Piece | None:
    if second.instant is not None or second.hour is not None or second.kind in ("month", "amount"):
        return None
    if time.part and second.part and time.part != second.part:  # "at four in the afternoon, this morning he is out"
        return None
    return second._replace(
        hour=time.hour,
        minute=time.minute,
        twelve=time.twelve,
        part=second.part or time.part,
        until=None if time.hour is not None else second.until,
        firm=second.firm or second.kind == "weekday",
    )


def _join_days(first: Piece, second: Piece) -> Piece | None:
    """Two days that name the same one: the weekday of a week, the date of a weekday."""
    if first.hour is not None and second.hour is not None:
        return None
    day: Piece | None = None
    if first.weeks or second.weeks:
        day = _weeks_on(first, second) if first.weeks else _weeks_on(second, first)
    elif first.kind == "weekday" and second.kind == "range":
        day = _weekday_in(second, first)
    elif first.kind == "range" and second.kind == "weekday":
        day = _weekday_in(first, second)
    elif first.kind in ("weekday", "range") and second.kind in ("monthday", "figure", "dom"):
        day = second._replace(firm=True)
    elif first.kind == "monthday" and second.kind == "weekday" and first.day is not None:
        day = first if first.day.weekday() == second.weekday else None
    if day is None:
        return None
    time = second if second.hour is not None else first
    part = first.part or second.part
    return day._replace(end=second.end, hour=time.hour, minute=time.minute, twelve=time.twelve, part=part)


def _weekday_in(stretch: Piece, weekday: Piece) -> Piece | None:
    if stretch.day is None or weekday.weekday is None:
        return None
    day = stretch.day + timedelta(days=(weekday.weekday - stretch.day.weekday()) % 7)
    # On a Sunday "Tuesday this week" has passed, so the coming Tuesday is meant.
    day = day if day <= (stretch.until or stretch.day) else weekday.day or day
    return weekday._replace(day=day, others=(), firm=True, recurring=False)


def _weeks_on(amount: Piece, weekday: Piece) -> Piece | None:
    """ "Monday in two weeks": as many weeks after the coming one, as "two weeks on Monday" is; or in that week."""
    if weekday.kind != "weekday" or weekday.day is None or weekday.weekday is None or amount.day is None:
        return None
    in_week = amount.day + timedelta(days=weekday.weekday - amount.day.weekday())
    day = amount.day if in_week == amount.day else weekday.day + timedelta(days=7 * amount.weeks)
    return weekday._replace(day=day, others=(in_week,) if in_week != day else (), firm=True, recurring=False)
