"""Pieces that name a day or a stretch of days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from engine.dates.piece import (
    Piece,
    add_days,
    coming_day_of_month,
    coming_month_day,
    coming_weekday,
    make_day,
    month_range,
    named_range,
    weekday_of_next_week,
)
from engine.dates.tokens import Token
from engine.dates.words import DateWords


@dataclass(frozen=True, slots=True)
class Reader:
    """What every piece reader needs: the tokens, the words of the language and the present moment."""

    tokens: Sequence[Token]
    words: DateWords
    now: datetime

    @property
    def today(self) -> date:
        return self.now.date()

    def word(self, index: int) -> str:
        return self.tokens[index].word if 0 <= index < len(self.tokens) else ""

    def number(self, index: int) -> int | None:
        return self.tokens[index].number if 0 <= index < len(self.tokens) else None

    def length(self, index: int) -> int:
        return self.tokens[index].end - self.tokens[index].start

    def joined(self, index: int) -> bool:
        """Whether this token follows the one before without a space."""
        return 0 < index < len(self.tokens) and self.tokens[index - 1].end == self.tokens[index].start


def read_named_day(reader: Reader, start: int) -> Piece | None:
    """today, tomorrow, the day after tomorrow."""
    found = reader.words.days.find(reader.tokens, start)
    if found is None:
        return None
    day = add_days(reader.today, found[1])
    return Piece(found[0], "day", day=day, firm=True, anchored=True) if day else None


def read_range(reader: Reader, start: int) -> Piece | None:
    """this week, next month, the weekend, the end of the year."""
    found = reader.words.ranges.find(reader.tokens, start)
    if found is None:
        return None
    end, name = found
    first, last = named_range(name, reader.today)
    said = " ".join(token.word for token in reader.tokens[start:end])
    soft = said in reader.words.soft_ranges
    until = last if last != first else None
    return Piece(end, "range", day=first, until=until, firm=not soft, anchored=True)


def read_weekday(reader: Reader, start: int) -> Piece | None:
    """Friday, next Friday, this Friday, venerdì prossimo."""
    words, tokens, today = reader.words, reader.tokens, reader.today
    lead_next = words.next.find(tokens, start)
    lead_this = words.this.find(tokens, start) if lead_next is None else None
    at = (lead_next or lead_this or (start, ""))[0]
    found = words.weekdays.find(tokens, at)
    if found is None:
        return None
    end, weekday = found
    if end < len(tokens) and tokens[end].word == "." and tokens[end - 1].word in words.doubtful:
        end += 1  # "on wed . at 11 am"
    trail_next = words.next_after.find(tokens, end)
    coming = coming_weekday(today, weekday)
    same_day = (today,) if today.weekday() == weekday else ()
    if lead_next or trail_next:
        end = trail_next[0] if trail_next else end
        week = weekday_of_next_week(today, weekday)
        day, other = (week, coming) if words.next_week_rule else (coming, week)
        return Piece(end, "weekday", day, (other,) if other != day else (), weekday=weekday, firm=True, anchored=True)
    if lead_this:
        day = coming_weekday(today, weekday, today_counts=True)
        return Piece(end, "weekday", day, weekday=weekday, firm=True, anchored=True)
    return Piece(end, "weekday", coming, same_day, weekday=weekday, anchored=True,
                 recurring=tokens[at].word in words.plural_weekdays)  # fmt: skip


def read_ordinal(reader: Reader, start: int, *, marked: bool) -> tuple[int, int] | None:
    """A day of the month, as "15th", "first" or (where no mark is needed) "15"."""
    found = reader.words.ordinals.find(reader.tokens, start)
    if found is not None:
        return found
    number = reader.number(start)
    if number is None or not 1 <= number <= 31:
        return None
    if reader.word(start + 1) in reader.words.ordinal_marks and reader.joined(start + 1):
        return start + 2, number
    return None if marked else (start + 1, number)


def _read_year(reader: Reader, start: int) -> tuple[int, int | None]:
    at = start + 1 if reader.word(start) in (",", "del") else start
    year = reader.number(at)
    after = reader.word(at + 1)
    if year is not None and 1990 <= year <= 2200 and after not in ("am", "pm"):
        return at + 1, year
    return start, None


def read_month_day(reader: Reader, start: int) -> Piece | None:
    """March 10, 10 March, the 10th of March 2027, 10 marzo."""
    words, tokens = reader.words, reader.tokens
    month = words.months.find(tokens, start)
    if month is not None:
        at = month[0] + (reader.word(month[0]) in (*words.day_articles, ".", "-"))
        day = read_ordinal(reader, at, marked=False)
        number = reader.number(at)
        if day is None or (number is not None and reader.word(at + 1) == ":"):
            return None
        end = day[0]
    else:
        day = read_ordinal(reader, start, marked=False)
        if day is None:
            return None
        of = words.of.find(tokens, day[0])
        month = words.months.find(tokens, of[0] if of else day[0])
        if month is None:
            return None
        end = month[0]
    end, year = _read_year(reader, end)
    found = make_day(year, month[1], day[1]) if year else coming_month_day(reader.today, month[1], day[1])
    return Piece(end, "monthday", day=found, firm=True, anchored=True) if found else None


def read_month(reader: Reader, start: int) -> Piece | None:
    """A month alone; only a preposition makes it a date ("in March")."""
    lead = reader.words.next.find(reader.tokens, start)
    found = reader.words.months.find(reader.tokens, lead[0] if lead else start)
    if found is None:
        return None
    end, year = _read_year(reader, found[0])
    today = reader.today
    if year is None:
        year = today.year + (found[1] < today.month or (lead is not None and found[1] == today.month))
    if not 1 <= year <= 9998:
        return None
    first, last = month_range(year, found[1])
    return Piece(end, "month", day=max(first, today) if last >= today else first, until=last, anchored=True)


def read_day_of_month(reader: Reader, start: int) -> Piece | None:
    """The 15th; "the" and "on the" were read before as its preposition. Italian has no mark but the article: il 15."""
    has_article = reader.word(start - 1) in reader.words.day_articles
    found = read_ordinal(reader, start, marked=reader.words.month_first or not has_article)
    if found is None:
        return None
    end, number = found
    of = reader.words.of.find(reader.tokens, end)
    until = reader.words.ranges.find(reader.tokens, of[0]) if of else None
    today = reader.today
    if until is not None and until[1] in ("this_month", "next_month"):
        first, _ = named_range(until[1], today)
        day = make_day(first.year, first.month, number)
        return Piece(until[0], "dom", day=day, firm=True, anchored=True) if day else None
    day = coming_day_of_month(today, number)
    if day is None:
        return None
    return Piece(end, "dom", day=day, anchored=True)
