"""What the finder gives back: a date with its place in the text and how it was read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from engine.dates.days import Reader
from engine.dates.piece import Piece
from engine.dates.resolve import resolve
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
    words = reader.words
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


def join_day_and_time(matches: tuple[DateMatch, ...], words: DateWords) -> tuple[DateMatch, ...]:
    """ "remind me tomorrow that I have a meeting at 3pm": one day and one time are one moment.

    Both keep their own spans and carry the joined value; what each says alone stays as an alternative.
    """
    if len(matches) != 2:
        return matches
    day, clock = sorted(matches, key=lambda match: not match.has_day)
    if not day.has_day or clock.has_day or "T" in day.value or "T" not in clock.value or day.range_end:
        return matches
    value = day.value + clock.value[10:]
    recurring = day.recurring or clock.recurring
    return tuple(
        replace(
            match,
            value=value,
            words=describe(value, words),
            recurring=recurring,
            alternatives=(match.value, *match.alternatives),
        )
        for match in matches
    )


def describe(value: str, words: DateWords) -> str:
    """ "Fri 20 Nov 2026, 17:00", in the language of the words."""
    day = date.fromisoformat(value[:10])
    said = f"{words.weekday_names[day.weekday()]} {day.day} {words.month_names[day.month - 1]} {day.year}"
    return f"{said}, {value[11:]}" if len(value) > 10 else said
