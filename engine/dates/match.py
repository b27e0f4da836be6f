"""What the finder gives back: a date with its place in the text and how it was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from engine.dates.by_thing import at_its_time
from engine.dates.days import Reader
from engine.dates.piece import Piece
from engine.dates.resolve import resolve
from engine.dates.tokens import tokenize
from engine.dates.words import DateWords
from engine.values import Span


@dataclass(frozen=True, slots=True)
class DateMatch:
    """A date that stands in a text."""

    span: Span
    """The whole phrase with the preposition that belongs to it: "by March 10"."""
    value: str
    """ISO: a day (`2026-03-02`) or a day with a time (`2026-03-02T18:30`)."""
    text: str
    words: str
    """How it was read, in a few words for people: "Fri 20 Nov 2026, 17:00"."""
    recurring: bool = False
    """Said as a repetition; the value is the first of them."""
    alternatives: tuple[str, ...] = ()
    """Other values that the same words may mean, most likely first."""
    range_end: str | None = None
    """The last day where a stretch was said: "this week"."""
    approximate: bool = False
    """The time is the usual one for "morning" or "tonight", not one that was said."""
    has_day: bool = True
    """False where only a time was said; the day is then today or tomorrow."""


def make_match(text: str, reader: Reader, start: int, piece: Piece) -> DateMatch:
    words, piece = reader.words, at_its_time(piece, reader, start)
    value = resolve(piece, words, reader.now)
    span = Span(reader.tokens[start].start, reader.tokens[piece.end - 1].end)
    until = piece.until.isoformat() if piece.until is not None else None
    notes = [describe(value.iso, words)]
    if until is not None:
        notes.append(words.notes["range"].format(until=describe(until, words)))
    notes += [
        words.notes[name]
        for name, holds in (("part", value.approximate), ("twelve", value.twelve), ("recurring", piece.recurring))
        if holds
    ]
    return DateMatch(
        span=span,
        value=value.iso,
        text=text[span.start : span.end],
        words="; ".join(notes),
        recurring=piece.recurring,
        alternatives=tuple(dict.fromkeys(other for other in value.alternatives if other != value.iso)),
        range_end=until,
        approximate=value.approximate,
        has_day=piece.day is not None or piece.instant is not None,
    )


def make_matches(text: str, reader: Reader, found: Sequence[tuple[int, Piece]]) -> tuple[DateMatch, ...]:
    """ "remind me tomorrow that I have a meeting at 3pm": one day and one time are one moment.

    Both keep their own spans and carry the joined value; what each says alone stays as an alternative.
    """
    matches = tuple(make_match(text, reader, start, piece) for start, piece in found)
    joined = _join_apart(*(at_its_time(piece, reader, start) for start, piece in found)) if len(found) == 2 else None
    if joined is None:
        return matches
    # Read together: "on the 25th, train leaves 9:05" is in the morning, whether or not that has passed today.
    value = resolve(joined, reader.words, reader.now)
    return tuple(
        replace(
            match,
            value=value.iso,
            words=describe(value.iso, reader.words),
            recurring=joined.recurring,
            alternatives=tuple(
                dict.fromkeys(
                    other for other in (match.value, *match.alternatives, *value.alternatives) if other != value.iso
                )
            ),
        )
        for match in matches
    )


def _join_apart(first: Piece, second: Piece) -> Piece | None:
    day, time = (first, second) if first.day is not None else (second, first)
    if day.day is None or day.hour is not None or day.until is not None:
        return None
    if time.day is not None or time.instant is not None or (time.hour is None and (time.part is None or day.part)):
        return None
    return day._replace(
        hour=time.hour,
        minute=time.minute,
        twelve=time.twelve,
        usual=time.usual,
        part=day.part or time.part,
        recurring=day.recurring or time.recurring,
    )


def describe(value: str, words: DateWords) -> str:
    """ "Fri 20 Nov 2026, 17:00", in the language of the words."""
    day = date.fromisoformat(value[:10])
    said = f"{words.weekday_names[day.weekday()]} {day.day} {words.month_names[day.month - 1]} {day.year}"
    return f"{said}, {value[11:]}" if len(value) > 10 else said


def ends_a_stretch(match: DateMatch, words: DateWords) -> bool:
    """ "the end of the year": what is due before it is due on its last day at the latest."""
    tokens = tokenize(match.text)
    named = [words.ranges.find(tokens, place) for place in range(len(tokens))]
    ends = [each for each in named if each is not None and each[1].startswith("end_of_")]
    return bool(ends) or any(words.end_of.find(tokens, place) is not None for place in range(len(tokens)))
