"""Due dates: a day, or a day with a time, written in ISO form."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from db.failures import ToolFailure
from engine.values import DAY_JOINT, OPEN_SIDE, ErrorKind


@dataclass(frozen=True, slots=True)
class Due:
    day: date
    time: time | None = None

    def __str__(self) -> str:
        return self.day.isoformat() + (f"T{self.time:%H:%M}" if self.time else "")


def parse_due(text: str) -> Due:
    """Read `2026-03-02`, `2026-03-02T18:30` or `2026-03-02 18:30`; words are the engine's business."""
    stripped = text.strip()
    try:
        if len(stripped) == 10:
            return Due(date.fromisoformat(stripped))
        moment = datetime.fromisoformat(stripped)
    except ValueError:
        raise _bad_date(text) from None
    if len(stripped) < 16:  # fromisoformat also accepts compact forms such as 20260302
        raise _bad_date(text)
    return Due(moment.date(), moment.time().replace(second=0, microsecond=0, tzinfo=None))


def make_due(day: date | None, at: time | None) -> str | None:
    return str(Due(day, at)) if day else None


def due_range(due: str, today: date) -> tuple[date, date]:
    """First and last day of `today`, `tomorrow`, `this_week` (Monday to Sunday), an ISO day, or two with a slash
    (`../2026-03-10`: up to that day; `2026-03-10/..`: from it on)."""
    if due == "today":
        return today, today
    if due == "tomorrow":
        return today + timedelta(days=1), today + timedelta(days=1)
    if due == "this_week":
        monday = today - timedelta(days=today.weekday())
        return monday, monday + timedelta(days=6)
    first, _, last = due.partition(DAY_JOINT)
    start = date.min if first == OPEN_SIDE and last else parse_due(first).day
    return start, date.max if last == OPEN_SIDE and start != date.min else parse_due(last or first).day


def _bad_date(text: str) -> ToolFailure:
    shown = text if len(text) <= 40 else text[:39] + "…"
    message = f"'{shown}' is not a date. Use a day such as 2026-03-02, or a day and time such as 2026-03-02T18:30."
    return ToolFailure(ErrorKind.BAD_DATE, message)
