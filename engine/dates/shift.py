"""A date told from another one: "delay it by a week", "due giorni dopo", "the day after". It needs that other date."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from engine.dates.amounts import DAYS, MINUTES, MONTHS, read_count, read_quantity
from engine.dates.days import Reader
from engine.dates.guard import ENDINGS
from engine.dates.piece import add_months, coming_weekday, past_weekday
from engine.dates.resolve import usual_time
from engine.dates.times import read_clock
from engine.dates.tokens import has_any, says_any, tokenize
from engine.dates.words import DateWords
from engine.values import Span

_ANY_MOMENT = datetime(2000, 1, 1)  # noqa: DTZ001 - an amount is the same at every moment
_VERB_LOOKS_BACK = 8
_BARE_DAY = len("2000-01-01")


@dataclass(frozen=True, slots=True)
class DateShift:
    span: Span
    text: str
    minutes: int = 0
    days: int = 0
    months: int = 0
    time: str = ""
    """The time on the day that it leads to, where one was said: "the day after at 5"."""
    weekday: int | None = None
    """The day of the week that it leads to, the next one after the other date: "the Saturday after"."""
    back: bool = False
    """The last one before it: "the Saturday before"."""

    def move(self, value: str) -> str | None:
        """The ISO day or moment moved; None beyond the calendar's end, and of a bare day by less than one: it has no
        hour that could be another."""
        if self.minutes and len(value) <= _BARE_DAY:
            return None
        try:
            moment = datetime.fromisoformat(value) + timedelta(days=self.days, minutes=self.minutes)
        except (OverflowError, ValueError):
            return None
        day = add_months(moment.date(), self.months)
        if day is not None and self.weekday is not None:
            day = past_weekday(day, self.weekday) if self.back else coming_weekday(day, self.weekday)
        if day is None:
            return None
        time = self.time or (f"{moment:%H:%M}" if len(value) > _BARE_DAY else "")
        return f"{day.isoformat()}T{time}" if time else day.isoformat()


def find_shift(text: str, words: DateWords) -> DateShift | None:
    """The first words that tell a date from another: an amount after "by" or a verb that moves, or before "later";
    or a day named so ("the day after")."""
    if not has_any(text, words.triggers) or not says_any(text, words.shift_triggers):
        return None  # "to Thursday at 5" moves nothing by so much
    for said, by, found in _latest:
        if by is words and said == text:
            return found
    found = _search(text, words)
    _latest[:] = [(text, words, found)]
    return found


_latest: list[tuple[str, DateWords, DateShift | None]] = []
"""What was found last: the clauses of a message all ask about its whole text."""


def _search(text: str, words: DateWords) -> DateShift | None:
    reader = Reader(tokenize(text), words, _ANY_MOMENT)
    for position in range(len(reader.tokens)):
        shift = _read_phrase(text, reader, position) or _read_weekday_beside(text, reader, position)
        if shift is not None:
            return shift
        for start in (*(end for end, _ in words.shift_by.find_all(reader.tokens, position)), position):
            shift = _read_shift(text, reader, position, start)
            if shift is not None:
                return shift
    return None


def _read_phrase(text: str, reader: Reader, position: int) -> DateShift | None:
    """ "the day before", "quel giorno", with the time that follows."""
    found = reader.words.shift_phrases.find(reader.tokens, position)
    if found is None:
        return None
    end, (unit, count) = found
    timed = _read_time(reader, end)
    if timed is not None:
        return _make_shift(text, reader, (position, timed[0]), unit, count, timed[1])
    return _make_shift(text, reader, (position, end), unit, count) if _is_closed(reader, end) else None


def _read_weekday_beside(text: str, reader: Reader, position: int) -> DateShift | None:
    """ "the Saturday after", "the Saturday before": not the next one, but the one beside what it is told from."""
    weekday = reader.words.weekdays.find(reader.tokens, position)
    after = reader.words.weekday_after.find(reader.tokens, weekday[0]) if weekday else None
    if weekday and after is None and reader.word(weekday[0]) == ",":  # "not this Friday, the one after"
        after = reader.words.weekday_one_after.find(reader.tokens, weekday[0] + 1)
    before = reader.words.weekday_before.find(reader.tokens, weekday[0]) if weekday and after is None else None
    beside = after or before
    if weekday is None or beside is None or not _is_closed(reader, beside[0]):
        return None
    first = position - 1 if reader.word(position - 1) in reader.words.determiners else position
    if before and first == position and reader.word(position - 1) not in reader.words.weak_prepositions:
        return None  # "on Saturday, before"
    span = Span(reader.tokens[first].start, reader.tokens[beside[0] - 1].end)
    return DateShift(span, text[span.start : span.end], weekday=weekday[1], back=after is None)


def _read_time(reader: Reader, end: int) -> tuple[int, str] | None:
    for start, _ in (*reader.words.connectors.find_all(reader.tokens, end), (end, "")):
        clock = read_clock(reader, start)
        if clock is not None and (start > end or clock.kind == "clock") and _is_closed(reader, clock.end):
            return clock.end, usual_time(clock, reader.words)
    return None


def _read_shift(text: str, reader: Reader, position: int, start: int) -> DateShift | None:
    if position and reader.words.every.find(reader.tokens, position - 1) is not None:
        return None  # "they change their minds every five minutes"
    amount = read_quantity(reader, start) or _read_more(reader, start) or _read_bare_unit(reader, position, start)
    if amount is None:
        return None
    end, unit, count = amount
    words = reader.words
    later = words.shift_later.find(reader.tokens, end)
    earlier = words.shift_earlier.find(reader.tokens, end) if later is None else None
    alone = words.shift_earlier_alone.find(reader.tokens, end) if later is None and earlier is None else None
    if alone is not None and _is_closed(reader, alone[0]):
        earlier = alone
    if later is not None or earlier is not None:
        end = (later or earlier or (end, ""))[0]
        if reader.word(end - 1) in words.before and reader.word(end) in words.determiners:
            return None  # "un'ora prima della partenza": told from something else
        return _make_shift(text, reader, (position, end), unit, -count if earlier else count)
    sign = _direction(reader, position, told_by=start > position)
    more = start == position and _read_more(reader, start) == amount
    if start == position and ((not sign and not more) or not _is_closed(reader, end)):
        return None
    beside = words.shift_directions.find(reader.tokens, position - 1) if sign and position else None
    return _make_shift(text, reader, (position - bool(beside), end), unit, count * (sign or 1))


def _read_more(reader: Reader, start: int) -> tuple[int, str, int] | None:
    """ "two more days", "an extra week"."""
    count = read_count(reader, start)
    more = reader.words.shift_more.find(reader.tokens, count[0]) if count else None
    unit = reader.words.units.find(reader.tokens, more[0]) if more else None
    return (unit[0], unit[1], count[1]) if count and unit else None


def _direction(reader: Reader, position: int, *, told_by: bool) -> int:
    """Whether what stands before an amount moves it later (1) or earlier (-1); 0: it does not say. `told_by`: a word
    like "by" comes before the amount; then a determiner before the verb is what is moved ("le anticipiamo di un
    giorno")."""
    words, tokens = reader.words, reader.tokens
    beside = words.shift_directions.find(tokens, position - 1) if position else None
    if beside is None and position and words.prepositions.find(tokens, position - 1) is not None:
        return 0  # "push it to a week from Monday"
    for place in range(position - 1, max(-1, position - 1 - _VERB_LOOKS_BACK), -1):
        verb = words.shift_verbs.find(tokens, place)
        if verb is not None and ((told_by and verb[1]) or reader.word(place - 1) not in words.determiners):
            return beside[1] if beside else verb[1]
    return 0


def _is_closed(reader: Reader, end: int) -> bool:
    following = reader.word(end)
    return not following or following in ENDINGS or following in reader.words.shift_closers


def _make_shift(text: str, reader: Reader, places: tuple[int, int], unit: str, count: int, time: str = "") -> DateShift:
    span = Span(reader.tokens[places[0]].start, reader.tokens[places[1] - 1].end)
    return DateShift(
        span=span,
        text=text[span.start : span.end],
        minutes=MINUTES.get(unit, 0) * count,
        days=DAYS.get(unit, 0) * count,
        months=MONTHS.get(unit, 0) * count,
        time=time,
    )


def _read_bare_unit(reader: Reader, position: int, start: int) -> tuple[int, str, int] | None:
    """ "another week", "di un'altra settimana": one of them."""
    if start == position or (start == position + 1 and reader.words.of.find(reader.tokens, position)):
        return None  # "un paio di giorni"
    unit = reader.words.units.find(reader.tokens, start)
    return (unit[0], unit[1], 1) if unit is not None else None
