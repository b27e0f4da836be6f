"""A date moved by an amount: "delay it by a week", "due giorni dopo". It needs the date that it moves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from engine.dates.amounts import DAYS, MINUTES, MONTHS, read_quantity
from engine.dates.days import Reader
from engine.dates.piece import add_months
from engine.dates.tokens import has_any, tokenize
from engine.dates.words import DateWords
from engine.values import Span

_ANY_MOMENT = datetime(2000, 1, 1)  # noqa: DTZ001 - an amount is the same at every moment


@dataclass(frozen=True, slots=True)
class DateShift:
    span: Span
    text: str
    minutes: int = 0
    days: int = 0
    months: int = 0

    def move(self, value: str) -> str | None:
        """The ISO day or moment moved; None beyond the calendar's end. Hours give a bare day a time."""
        try:
            moment = datetime.fromisoformat(value) + timedelta(days=self.days, minutes=self.minutes)
        except (OverflowError, ValueError):
            return None
        day = add_months(moment.date(), self.months)
        if day is None:
            return None
        timed = len(value) > 10 or self.minutes
        return f"{day.isoformat()}T{moment:%H:%M}" if timed else day.isoformat()


def find_shift(text: str, words: DateWords) -> DateShift | None:
    """The first amount that moves a date: after "by", or before "later" and "earlier"."""
    if not has_any(text, words.triggers):
        return None
    reader = Reader(tokenize(text), words, _ANY_MOMENT)
    for position in range(len(reader.tokens)):
        for start in (*(end for end, _ in words.shift_by.find_all(reader.tokens, position)), position):
            shift = _read_shift(text, reader, position, start)
            if shift is not None:
                return shift
    return None


def _read_shift(text: str, reader: Reader, position: int, start: int) -> DateShift | None:
    amount = read_quantity(reader, start) or _read_bare_unit(reader, position, start)
    if amount is None:
        return None
    end, unit, count = amount
    later = reader.words.shift_later.find(reader.tokens, end)
    earlier = reader.words.shift_earlier.find(reader.tokens, end) if later is None else None
    if start == position and later is None and earlier is None:
        return None
    end = (later or earlier or (end, ""))[0]
    count = -count if earlier is not None else count
    span = Span(reader.tokens[position].start, reader.tokens[end - 1].end)
    return DateShift(
        span=span,
        text=text[span.start : span.end],
        minutes=MINUTES.get(unit, 0) * count,
        days=DAYS.get(unit, 0) * count,
        months=MONTHS.get(unit, 0) * count,
    )


def _read_bare_unit(reader: Reader, position: int, start: int) -> tuple[int, str, int] | None:
    """ "another week", "di un'altra settimana": one of them."""
    unit = reader.words.units.find(reader.tokens, start) if start > position else None
    return (unit[0], unit[1], 1) if unit is not None else None
