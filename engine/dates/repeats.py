"""Pieces that repeat: every Monday, daily, ogni primo lunedì del mese."""

from __future__ import annotations

from engine.dates.amounts import MINUTES, count_from, read_quantity
from engine.dates.calendar.nth import read_nth
from engine.dates.days import Reader, read_weekday
from engine.dates.piece import Piece, coming_weekday


def read_repeat(reader: Reader, start: int) -> Piece | None:
    """every Monday, every 2 weeks, daily, tutti i giorni; the day is the first of them."""
    named = reader.words.repeats.find(reader.tokens, start)
    if named is not None:
        said = " ".join(token.word for token in reader.tokens[start : named[0]])
        return _first_of(reader, named[0], named[1])._replace(firm=said not in reader.words.soft_repeats)
    every = reader.words.every.find(reader.tokens, start)
    if every is None:
        return None
    counted = read_nth(reader, every[0])
    if counted is not None:
        return counted._replace(kind="repeat", recurring=True)
    other = reader.words.other.find(reader.tokens, every[0])
    at = other[0] if other else every[0]
    weekday = read_weekday(reader, at)
    if weekday is not None:
        return _add_weekdays(reader, weekday._replace(kind="repeat", recurring=True, firm=True))
    unit = reader.words.units.find(reader.tokens, at)
    if unit is not None and unit[1] not in MINUTES:
        return _first_of(reader, unit[0], unit[1])
    amount = (unit[0], unit[1], 1) if unit is not None else read_quantity(reader, at)
    if amount is None:
        return None
    piece = count_from(reader, amount[0], amount[1], amount[2], reader.now)
    if piece is None:
        return None
    day = reader.today if piece.instant is None else None
    return piece._replace(kind="repeat", day=day, recurring=True, firm=True)


def _add_weekdays(reader: Reader, first: Piece) -> Piece:
    """ "every Monday, Wednesday and Friday": the first of them that comes."""
    piece = first
    for _ in range(6):
        joint = reader.words.and_.find(reader.tokens, piece.end)
        weekday = read_weekday(reader, joint[0]) if joint else None
        if weekday is None or weekday.day is None or piece.day is None:
            break
        piece = piece._replace(end=weekday.end, day=min(piece.day, weekday.day), others=())
    return piece


def _first_of(reader: Reader, end: int, name: str) -> Piece:
    today = reader.today
    if name in reader.words.part_hours:
        return Piece(end, "repeat", part=name, recurring=True, firm=True)
    if name == "weekend":
        today = today if today.weekday() >= 5 else coming_weekday(today, 5)
    elif name == "weekday":
        today = today if today.weekday() < 5 else coming_weekday(today, 0)
    # A time that has passed today moves "daily" to tomorrow: the day is not anchored.
    return Piece(end, "repeat", day=today, recurring=True, firm=True, anchored=name not in ("day", "week"))
