"""Pieces that name a time of the day."""

from __future__ import annotations

from typing import Literal

from engine.dates.days import Reader
from engine.dates.piece import Piece, add_days

TimeKind = Literal["clock", "hour", "loose"]
_STRETCH_LOOKS_BACK = 8
_BEFORE_HOUR = ("'", "@", "(", "~", ",")


def read_part(reader: Reader, start: int) -> Piece | None:
    """tonight, this morning, in the evening."""
    found = reader.words.parts.find(reader.tokens, start)
    if found is None:
        return None
    end, (part, offset) = found
    day = None if offset is None else add_days(reader.today, offset)
    return Piece(end, "part", day=day, part=part, firm=True, anchored=day is not None)


def read_part_of_day(reader: Reader, start: int) -> Piece | None:
    """The bare "morning" after a day ("tomorrow morning") or an hour ("10 di mattina")."""
    found = reader.words.day_parts.find(reader.tokens, start)
    return Piece(found[0], "part", part=found[1]) if found else None


def read_clock(reader: Reader, start: int) -> Piece | None:
    """A time of the day, or a stretch of hours ("3 till 5"), of which the beginning counts."""
    first = _read_time(reader, start)
    return (_read_stretch(reader, start, first) or first) if first else None


def _read_time(reader: Reader, start: int, *, glued: bool = False) -> Piece | None:
    """noon, half past five, 5 pm, 17:30, 6 o'clock, ten to four, or a bare hour that only a lead makes a time."""
    named = reader.words.clocks.find(reader.tokens, start)
    if named is not None:
        about = reader.words.about.find(reader.tokens, named[0])
        return Piece((about or named)[0], "clock", hour=named[1][0], minute=named[1][1], firm=True)
    quarter = reader.words.quarters.find(reader.tokens, start)
    if quarter is not None:
        hour = _read_hour(reader, quarter[0])
        return _finish_clock(reader, hour[0], hour[1], quarter[1], "clock") if hour else None
    before = _read_minutes_before(reader, start)
    if before is not None:
        return before
    hour = _read_hour(reader, start, glued=glued)
    if hour is None:
        return None
    end, value = hour
    minute = _read_minute(reader, end)
    if minute is not None:
        return _finish_clock(reader, minute[0], value, minute[1], minute[2])
    after = reader.words.quarters_after.find(reader.tokens, end)
    if after is not None:
        return _finish_clock(reader, after[0], value, after[1], "clock")
    after = _read_minutes_after(reader, start, end)
    if after is not None:
        return _finish_clock(reader, after[0], value, after[1], "loose")
    return _finish_clock(reader, end, value, 0, "loose" if reader.word(start) in reader.words.about_hours else "hour")


def _read_minutes_after(reader: Reader, start: int, end: int) -> tuple[int, int] | None:
    """ "eleven thirty", "undici e venti"; not "11 thirty", nor "alle 3 e dieci minuti"."""
    found = reader.words.minutes_after.find(reader.tokens, end)
    if found is None or (reader.number(start) is not None and found[0] == end + 1):
        return None
    return found if reader.words.units.find(reader.tokens, found[0]) is None else None


def _read_minutes_before(reader: Reader, start: int) -> Piece | None:
    """ "ten to four", British "half five"; "from ten to four" is a stretch, and so is "10 to 4" without "at"."""
    found = reader.words.minutes_before.find(reader.tokens, start)
    if found is None or (found[1] < 0 and reader.word(start - 1) in reader.words.stretch_leads):
        return None
    hour = _read_hour(reader, found[0])
    if hour is None or not 1 <= hour[1] <= 12:
        return None
    number = reader.number(start)
    if number is not None and number <= 12:
        lead = reader.words.prepositions.find(reader.tokens, start - 1) if start else None
        if lead is None or lead[1].sort != "time":
            return None
    return _finish_clock(reader, hour[0], hour[1], found[1], "loose")


def _read_stretch(reader: Reader, start: int, first: Piece) -> Piece | None:
    """ "3 till 5", "3-5pm", "dalle 3 alle 5": the first hour, as the second one tells how it is meant."""
    joint = reader.words.till.find(reader.tokens, first.end)
    lead = reader.word(start - 1)
    if joint is None or (joint[1] and lead != joint[1]):
        return None
    if lead in reader.words.stretch_leads and is_moved(reader, start):
        return None  # "move it from 3 to 5": an old hour and a new one
    second = _read_time(reader, joint[0], glued=reader.joined(joint[0]))
    if second is None or first.hour is None or second.hour is None:
        return None
    kind: TimeKind = "clock" if "clock" in (first.kind, second.kind) else "loose"
    if first.twelve and second.twelve and second.hour < first.hour < 12:
        return first._replace(end=second.end, kind=kind, twelve=False)  # "9 till 5" begins in the morning
    if not first.twelve or second.twelve:
        return first._replace(end=second.end, kind=kind)
    late = first.hour % 12 + 12
    fits = second.hour >= 12 and (late, first.minute) <= (second.hour, second.minute)
    return first._replace(end=second.end, kind=kind, hour=late if fits else first.hour % 12, twelve=False)


def is_moved(reader: Reader, start: int) -> bool:
    """Whether a verb before it moves something, so that "from … to" is an old and a new time."""
    verbs = reader.words.shift_verbs
    return any(verbs.find(reader.tokens, place) for place in range(max(0, start - _STRETCH_LOOKS_BACK), start))


def _read_hour(reader: Reader, start: int, *, glued: bool = False) -> tuple[int, int] | None:
    number = reader.number(start)
    if number is None:
        found = reader.words.hours.find(reader.tokens, start)
        return found if found is None or _means_hour(reader, start, found[0]) else None
    before = reader.word(start - 1)
    if reader.joined(start) and not glued and before not in _BEFORE_HOUR and before not in reader.words.hour_letters:
        return None  # v2, #3, $5, 2.5
    if reader.word(start - 1) == ":":
        return None  # the minutes of "10 : 00 am"
    length = reader.length(start)
    if length >= 3 and number % 100 < 60 and number // 100 <= 12 and _meridiem(reader, start + 1) is not None:
        return start + 1, number  # "700 pm": the minutes are split off later
    return (start + 1, number) if number <= 24 and length <= 2 else None


def _means_hour(reader: Reader, start: int, end: int) -> bool:
    """ "at one", "one o'clock", "one thirty"; not "the one", "a busy one today"."""
    words, before = reader.words, reader.word(start - 1)
    if reader.word(start) not in words.also_pronouns or start == 0 or before in words.before_pronoun_hours:
        return True
    timed = words.oclock.find(reader.tokens, end) or _meridiem(reader, end) or words.numbers.find(reader.tokens, end)
    return timed is not None


def _read_minute(reader: Reader, start: int) -> tuple[int, int, TimeKind] | None:
    """ ":30", " : 30" or ".30"; a dot alone is weak, 2.10 may be a version."""
    mark, minute = reader.word(start), reader.number(start + 1)
    if mark == ":" and _meridiem(reader, start + 1) is not None:
        return start + 1, 0, "clock"  # "10 : am"
    if minute is None or minute > 59 or reader.length(start + 1) != 2:
        return None
    if mark == ":":
        return start + 2, minute, "clock"
    if mark in reader.words.minute_joints:
        return start + 2, minute, "clock"
    glued = reader.joined(start) and reader.joined(start + 1)
    dotted = mark == "." or (mark == "," and "," in reader.words.minute_marks)
    return (start + 2, minute, "loose") if glued and dotted else None


def _meridiem(reader: Reader, start: int) -> tuple[int, int] | None:
    """The token after "am" or "pm", and the hours it adds."""
    pm = reader.words.pm.find(reader.tokens, start)
    found = pm or reader.words.am.find(reader.tokens, start)
    if found is None:
        return None
    end = found[0]
    if end == start + 1 and reader.length(start) == 1 and not reader.joined(start):
        return None  # "5p" is a time, "5 p" is not
    if end == len(reader.tokens) and reader.word(end - 1) == "." and not reader.joined(end - 1):
        end -= 1  # "at 2 p.m ." ends the sentence, "2 p.m . tomorrow" does not
    return end, 12 if pm else 0


def _finish_clock(reader: Reader, end: int, hour: int, minute: int, kind: TimeKind) -> Piece | None:
    if hour >= 100:
        hour, minute = hour // 100, hour % 100
    if minute < 0:
        hour, minute = (hour - 1) % 24 or 12, minute + 60
    oclock = reader.words.oclock.find(reader.tokens, end)
    if oclock is not None:
        end, kind = oclock[0], "clock"
    about = reader.words.about.find(reader.tokens, end)
    if about is not None:
        end, kind = about[0], "clock" if kind == "clock" else "loose"
    meridiem = _meridiem(reader, end)
    if meridiem is not None:
        if 1 <= hour <= 12:
            hour = hour % 12 + meridiem[1]
        return Piece(meridiem[0], "clock", hour=hour, minute=minute, firm=True) if hour < 24 else None
    part = reader.words.day_parts.find(reader.tokens, end) if kind == "hour" else None
    if part is not None and part[0] > end + 1:
        kind = "clock"  # "eight in the evening", "otto di sera"
    if hour == 24 and minute == 0:
        hour, minute = 23, 59
    return Piece(end, kind, hour=hour, minute=minute, twelve=1 <= hour <= 12) if hour < 24 else None
