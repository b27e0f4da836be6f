"""A part of the day before its day: the morning of the 5th, mid-morning tomorrow, la sera della vigilia."""

from __future__ import annotations

from engine.dates.calendar.feasts import read_holiday
from engine.dates.days import Reader, read_named_day, read_weekday
from engine.dates.months import read_day_of_month, read_month_day, read_weekday_with_day
from engine.dates.numeric import read_numeric_day
from engine.dates.piece import Piece

_READERS = (
    read_named_day, read_holiday, read_weekday_with_day, read_weekday, read_month_day, read_numeric_day,
    read_day_of_month,
)  # fmt: skip
_PLAIN = ("holiday", "dom")


def read_part_with_day(reader: Reader, start: int) -> Piece | None:
    found = reader.words.day_parts.find(reader.tokens, start)
    if found is None or not _stands_free(reader, start, found[0]):
        return None
    joint = reader.words.part_joints.find(reader.tokens, found[0])
    at = joint[0] if joint else found[0]
    day = next((piece for read in _READERS if (piece := read(reader, at)) is not None and piece.day is not None), None)
    if day is None or day.until is not None or day.part is not None:
        return None
    kind = "monthday" if day.kind in _PLAIN else day.kind
    return day._replace(kind=kind, part=found[1], firm=True)


def _stands_free(reader: Reader, start: int, end: int) -> bool:
    """ "the morning of the 5th"; not the "night" of "quiz night tomorrow"."""
    before = reader.word(start - 1)
    several = end - start > 1 and reader.word(start) not in reader.words.weak_prepositions  # "il turno di notte domani"
    if start == 0 or several or reader.word(start) in reader.words.sure_day_parts:
        return True
    return before in reader.words.determiners or not before[0].isalnum()
