"""A read piece to a value: which hour is meant, which day, and what else it could mean."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import NamedTuple

from engine.dates.piece import END_OF_DAY, Piece, add_days
from engine.dates.words import DateWords

_WAKING = range(7, 22)
_EARLY = 3
"""A bare "at 3" is not meant in the night."""
_AWAKE, _FIRST_HOURS = range(_EARLY, 23), range(5, 7)
"""When most people speak, and the hours that somebody who speaks later may mean."""
_AFTERNOON_PARTS = ("afternoon", "evening", "night", "noon")


class DateValue(NamedTuple):
    iso: str
    alternatives: tuple[str, ...] = ()
    approximate: bool = False
    twelve: bool = False


def resolve(piece: Piece, words: DateWords, now: datetime) -> DateValue:
    if piece.instant is not None:
        return DateValue(_iso_moment(piece.instant))
    if piece.hour is not None:
        return _with_hour(piece, words, now)
    if piece.part is not None and piece.part != END_OF_DAY:
        return _with_part(piece, words, now)
    day = piece.day or now.date()
    return DateValue(day.isoformat(), tuple(other.isoformat() for other in piece.others))


def _with_hour(piece: Piece, words: DateWords, now: datetime) -> DateValue:
    minute = piece.minute
    hours = _possible_hours(piece, words)
    if piece.anchored and piece.day is not None:
        hours = _still_to_come(hours, piece.day, minute, now)
        moments = [_moment(piece.day, hour, minute) for hour in hours]
        others = [_moment(other, hours[0], minute) for other in piece.others]
        return DateValue(moments[0], tuple(moments[1:] + others), twelve=len(hours) > 1)
    if piece.recurring:
        hours = hours[:1]  # "every day at 8" does not depend on when it was said
    today = piece.day or now.date()
    tomorrow = add_days(today, 1) or today
    ahead = [(day, hour) for day in (today, tomorrow) for hour in sorted(hours) if _is_ahead(day, hour, minute, now)]
    ahead = ahead or [(tomorrow, hours[0])]
    waking = [each for each in ahead if each[1] in _WAKING or _is_early(*each, now)] if len(hours) > 1 else ahead
    waking = [each for each in ahead if each[1] == hours[0]] if piece.usual else waking
    best = (waking or ahead)[0]
    others = [_moment(day, hour, minute) for day, hour in ahead if (day, hour) != best and len(hours) > 1][:1]
    return DateValue(_moment(*best, minute), tuple(others), twelve=len(hours) > 1)


def _is_early(day: date, hour: int, now: datetime) -> bool:
    """ "at 6", said by a baker at four, or by a porter at midnight."""
    if _EARLY <= now.hour < _WAKING.start:
        return now.hour < hour < _WAKING.start and day == now.date()
    coming = now.date() if now.hour < _EARLY else add_days(now.date(), 1)
    return now.hour not in _AWAKE and hour in _FIRST_HOURS and day == coming


def _possible_hours(piece: Piece, words: DateWords) -> list[int]:
    """The hours that were meant, most likely first."""
    hour = piece.hour or 0
    if not piece.twelve:
        return [hour]
    if piece.part == "morning":
        return [hour]  # "at 12 tomorrow morning" is noon
    if piece.part == "night" and (hour == 12 or hour < 5):
        return [hour % 12]
    if piece.part in _AFTERNOON_PARTS:
        return [hour % 12 + 12]
    if hour == 12:
        return [12]
    afternoon_first = piece.usual == "late" if piece.usual else hour < words.morning_from
    return [hour % 12 + 12, hour % 12] if afternoon_first else [hour % 12, hour % 12 + 12]


def _still_to_come(hours: list[int], day: date, minute: int, now: datetime) -> list[int]:
    """ "today at 5" said at noon is 17:00, whatever five usually is."""
    return sorted(hours, key=lambda hour: not _is_ahead(day, hour, minute, now))


def _with_part(piece: Piece, words: DateWords, now: datetime) -> DateValue:
    hour = words.part_hours[piece.part or "morning"]
    day = piece.day or now.date()
    if piece.day is None and not _is_ahead(day, hour, 0, now):
        day = add_days(day, 1) or day
    if not _is_ahead(day, hour, 0, now):
        return DateValue(day.isoformat())  # "tonight" said at eleven: the day is all that is left of it
    others = (day.isoformat(), *(_moment(other, hour, 0) for other in piece.others))
    return DateValue(_moment(day, hour, 0), others, approximate=True)


def _is_ahead(day: date, hour: int, minute: int, now: datetime) -> bool:
    return (day, time(hour, minute)) > (now.date(), now.time())


def _moment(day: date, hour: int, minute: int) -> str:
    return f"{day.isoformat()}T{hour:02d}:{minute:02d}"


def _iso_moment(moment: datetime) -> str:
    return _moment(moment.date(), moment.hour, moment.minute)


def usual_time(piece: Piece, words: DateWords) -> str:
    """The hour that a time usually means, on a day that is not known yet."""
    return f"{_possible_hours(piece, words)[0]:02d}:{piece.minute:02d}"
