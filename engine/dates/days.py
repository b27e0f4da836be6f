"""Pieces that name a day or a stretch of days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from engine.dates.phrases import Phrases
from engine.dates.piece import (
    END_OF_DAY,
    Piece,
    add_days,
    coming_weekday,
    named_range,
    weekday_of_next_week,
)
from engine.dates.tokens import DateToken
from engine.dates.words import DateWords


class Reader(NamedTuple):
    """What every piece reader needs: the tokens, the words of the language and the present moment."""

    tokens: Sequence[DateToken]
    words: DateWords
    now: datetime
    in_talk: bool = False
    """Whether a conversation goes on: then no words are a title, and a day is a day wherever it stands."""
    said: frozenset[str] | None = None
    """All words, where they are known: what needs one that is not among them need not be tried."""

    @property
    def today(self) -> date:
        return self.now.date()

    def word(self, index: int) -> str:
        return self.tokens[index].word if 0 <= index < len(self.tokens) else ""

    def may_say(self, phrases: Phrases[Any]) -> bool:
        return self.said is None or not self.said.isdisjoint(phrases.first_words)

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
    if reader.number(start) is not None and not reader.joined(start + 1):
        return None  # "2moro", but not "2 moro"
    end, ahead = found
    later = reader.words.week_later.find(reader.tokens, end)
    day = add_days(reader.today, ahead + 7 * later[1] if later else ahead)
    return Piece(later[0] if later else end, "day", day=day, firm=True, anchored=True) if day else None


def read_first_thing(reader: Reader, start: int) -> Piece | None:
    """ "first thing Monday", "first thing tomorrow morning"."""
    found = reader.words.first_thing.find(reader.tokens, start)
    day = (read_named_day(reader, found[0]) or read_weekday(reader, found[0])) if found else None
    if day is None:
        return None
    morning = reader.words.day_parts.find(reader.tokens, day.end)
    return day._replace(end=morning[0] if morning else day.end, part=morning[1] if morning else "morning", firm=True)


def read_early_or_late(reader: Reader, start: int) -> Piece | None:
    """ "early tomorrow morning", "late on Friday night"; "late Friday" alone is no hour."""
    found = reader.words.early_or_late.find(reader.tokens, start)
    day = (read_named_day(reader, found[0]) or read_weekday(reader, found[0])) if found else None
    part = reader.words.day_parts.find(reader.tokens, day.end) if day else None
    return day._replace(end=part[0], part=part[1], firm=True) if day and part else None


def read_range(reader: Reader, start: int) -> Piece | None:
    """this week, next month, the weekend, the end of the year."""
    found = reader.words.ranges.find(reader.tokens, start)
    if found is None:
        return None
    end, name = found
    told = reader.words.shift_phrases.find(reader.tokens, start)
    if told is not None and told[0] > end:
        return None  # "the week after" is no "the week"
    first, last = named_range(name, reader.today)
    said = " ".join(token.word for token in reader.tokens[start:end])
    soft = said in reader.words.soft_ranges
    until = last if last != first else None
    part = END_OF_DAY if name == "end_of_today" else None
    return Piece(end, "range", day=first, until=until, part=part, firm=not soft, anchored=True)


def read_weekday(reader: Reader, start: int) -> Piece | None:
    """Friday, next Friday, this Friday, venerdì prossimo."""
    words, tokens, today = reader.words, reader.tokens, reader.today
    lead_next = words.next.find(tokens, start)
    lead_this = words.this.find(tokens, start)
    is_coming = lead_next is not None and lead_next == lead_this  # "this coming Sunday", never the one after it
    lead_next, lead_this = (None, lead_this) if is_coming else (lead_next, None if lead_next else lead_this)
    at = (lead_next or lead_this or (start, ""))[0]
    found = words.weekdays.find(tokens, at)
    if found is None:
        return None
    end, weekday = found
    if reader.word(start - 1) in words.past_before or _is_past(reader, end) or _is_counted(reader, start, end):
        return None
    if end < len(tokens) and tokens[end].word == "." and tokens[end - 1].word in words.doubtful:
        end += 1  # "on wed . at 11 am"
    later = words.week_later.find(tokens, end)
    coming = coming_weekday(today, weekday)
    if later is not None and not lead_next:
        return Piece(later[0], "weekday", add_days(coming, 7 * later[1]), weekday=weekday, anchored=True)
    after_next = words.after_next.find(tokens, end)
    if after_next is not None and not lead_next:
        return _read_after_next(reader, after_next[0], weekday)
    trail_next = words.next_after.find(tokens, end)
    trail = words.this.find(tokens, end)  # "this Friday coming"
    end = trail[0] if trail is not None and is_at_the_end(reader, trail[0]) else end
    same_day = (today,) if today.weekday() == weekday else ()
    if lead_next or trail_next:
        end = trail_next[0] if trail_next else end
        week = weekday_of_next_week(today, weekday)
        day, other = (week, coming) if words.next_week_rule else (coming, week)
        return Piece(end, "weekday", day, (other,) if other != day else (), weekday=weekday, firm=True, anchored=True)
    if lead_this:
        day = coming_weekday(today, weekday, today_counts=not is_coming)
        return Piece(end, "weekday", day, weekday=weekday, firm=True, anchored=True)
    return Piece(end, "weekday", coming, same_day, weekday=weekday, anchored=True,
                 recurring=tokens[at].word in words.plural_weekdays)  # fmt: skip


def _read_after_next(reader: Reader, end: int, weekday: int) -> Piece:
    """ "Monday after next": a week after the next one."""
    coming, week = coming_weekday(reader.today, weekday), weekday_of_next_week(reader.today, weekday)
    day, other = (week, coming) if reader.words.next_week_rule else (coming, week)
    days = tuple(each + timedelta(days=7) for each in (day, other))
    return Piece(end, "monthday", days[0], days[1:] if days[1] != days[0] else (), weekday=weekday, firm=True,
                 anchored=True)  # fmt: skip


def _is_counted(reader: Reader, start: int, end: int) -> bool:
    """ "first Sunday of Advent": counted in something that is no month."""
    count = reader.words.nth.find(reader.tokens, start - 1) if start else None
    return count is not None and count[0] == start and reader.words.of.find(reader.tokens, end) is not None


def _is_past(reader: Reader, end: int) -> bool:
    """ "Tuesday just gone", "martedì scorso"."""
    past = reader.words.past_after.find(reader.tokens, end)
    return past is not None and is_at_the_end(reader, past[0])


def is_at_the_end(reader: Reader, end: int) -> bool:
    """Whether nothing follows that the words before could describe."""
    following = reader.word(end)
    return not following or not following[0].isalnum() or following in reader.words.followers
