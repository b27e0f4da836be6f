"""Stretches of time as a chart divides them, the address keeps them and people say them. No streamlit."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Literal

from db.turns.timeline import Bucket

PeriodStep = Literal["hour", "day", "week", "month"]
_BETWEEN = "~"
_MOST: tuple[tuple[PeriodStep, timedelta], ...] = (
    ("hour", timedelta(days=3)),
    ("day", timedelta(days=92)),
    ("week", timedelta(days=2 * 366)),
)
"""Up to which stretch each step is used: a chart of a hundred bars can still be read, and clicked."""


def step_for(first: datetime, last: datetime) -> PeriodStep:
    return next((step for step, most in _MOST if last - first <= most), "month")


def step_of(bucket: Bucket) -> PeriodStep:
    """By its length; a day may have 23 or 25 hours."""
    hours = (bucket.until - bucket.start) / timedelta(hours=1)
    return "hour" if hours < 2 else "day" if hours < 26 else "week" if hours < 24 * 8 else "month"


def make_buckets(first: datetime, last: datetime) -> tuple[Bucket, ...]:
    """Whole hours, days, weeks (from Monday) or months of the clock on the wall, from the first moment to the last."""
    step = step_for(first, last)
    edges = list(_edges(first.astimezone(), last.astimezone(), step))
    return tuple(Bucket(start, until) for start, until in pairwise(edges))


def _edges(first: datetime, last: datetime, step: PeriodStep) -> Iterator[datetime]:
    if step == "hour":
        edge = first.replace(minute=0, second=0, microsecond=0)
        while edge <= last:
            yield edge
            edge += timedelta(hours=1)
        yield edge
        return
    day = first.date()
    day -= timedelta(days=day.weekday() if step == "week" else day.day - 1 if step == "month" else 0)
    while day <= last.date():
        yield midnight(day)
        day = _after(day, step)
    yield midnight(day)


def _after(day: date, step: PeriodStep) -> date:
    if step == "month":
        return (day.replace(day=1) + timedelta(days=32)).replace(day=1)
    return day + timedelta(days=7 if step == "week" else 1)


def midnight(day: date) -> datetime:
    """The start of a day as the person at the screen counts them."""
    return datetime.combine(day, time()).astimezone()


def write_period(period: Bucket) -> str:
    """For the address, in the time of the clock on the wall."""
    return _BETWEEN.join(f"{moment.astimezone():%Y-%m-%dT%H:%M}" for moment in (period.start, period.until))


def read_period(text: str) -> Bucket | None:
    """None for what is no stretch of time: an address can hold anything."""
    try:
        start, until = (datetime.fromisoformat(part).astimezone() for part in text.split(_BETWEEN))
    except (ValueError, OverflowError, OSError):
        return None
    return Bucket(start, until) if start < until else None


def describe_period(period: Bucket) -> str:
    start, until = period.start.astimezone(), period.until.astimezone()
    last = until - timedelta(seconds=1)
    if start.time() != time() or until.time() != time():
        same = start.date() == last.date()
        return f"{start:%a %-d %b %Y, %H:%M} – {until:{'%H:%M' if same else '%a %-d %b, %H:%M'}}"
    if start.date() == last.date():
        return f"{start:%a %-d %b %Y}"
    if start.day == 1 and until.day == 1 and _after(start.date(), "month") == until.date():
        return f"{start:%B %Y}"
    return f"{start:%-d %b} – {last:%-d %b %Y}"


def overlaps(bucket: Bucket, period: Bucket | None) -> bool:
    return period is not None and bucket.start < period.until and period.start < bucket.until
