"""One piece at one place: which readers to try there, in which order."""

from __future__ import annotations

import functools
from collections.abc import Callable

from engine.dates.amounts import read_amount, read_bare_weeks, read_coming_stretch
from engine.dates.calendar.day_stretch import read_day_stretch
from engine.dates.calendar.feasts import read_holiday
from engine.dates.calendar.nth import read_nth
from engine.dates.calendar.part_with_day import read_part_with_day
from engine.dates.calendar.stretch_parts import read_stretch_part
from engine.dates.calendar.told_from import read_told_from, read_week_of
from engine.dates.days import Reader, read_early_or_late, read_first_thing, read_named_day, read_range, read_weekday
from engine.dates.digits import read_digits
from engine.dates.months import read_day_of_month, read_month, read_month_day, read_weekday_with_day
from engine.dates.numeric import read_numeric_day
from engine.dates.phrases import Phrases
from engine.dates.piece import Piece
from engine.dates.repeats import read_repeat
from engine.dates.times import read_clock, read_part
from engine.dates.words import DateWords

ReadPiece = Callable[[Reader, int], Piece | None]

ReadersAt = tuple[tuple[ReadPiece, frozenset[str] | None], ...]
"""Readers to try at a word, each with the words one of which must follow ("the" starts many phrases, none alone)."""

ANY_KIND: frozenset[str] = frozenset()
_MOST_LANGUAGES = 32

_READERS: tuple[tuple[ReadPiece, tuple[str, ...]], ...] = (
    (read_repeat, ("repeats", "every")),
    (read_holiday, ("feasts",)),
    (read_first_thing, ("first_thing",)),
    (read_early_or_late, ("early_or_late",)),
    (read_part_with_day, ("day_parts",)),
    (read_part, ("parts",)),
    (read_named_day, ("days",)),
    (read_told_from, ("weekdays", "units", "numbers", "ranges", "nth")),
    (read_week_of, ("week_of",)),
    (read_nth, ("nth", "ordinals")),
    (read_stretch_part, ("stretch_parts",)),
    (read_range, ("ranges",)),
    (read_coming_stretch, ("next",)),
    (read_weekday_with_day, ("next", "this", "weekdays")),
    (read_weekday, ("next", "this", "weekdays")),
    (read_day_stretch, ("ordinals", "months")),
    (read_month_day, ("months", "ordinals")),
    (read_bare_weeks, ("units",)),
    (read_amount, ("halves", "numbers")),
    (read_month, ("next", "this", "months", "end_of")),
    (read_day_of_month, ("ordinals",)),
    (read_clock, ("clocks", "quarters", "minutes_before", "hours")),
)
"""In the order tried, the clock last, each with the tables whose words it can start with.

Every one of them reads a bounded number of tokens, so the whole stays linear."""

_NUMBER_READERS: ReadersAt = tuple(
    (read, None)
    for read in (
        read_named_day,
        read_numeric_day,
        read_told_from,
        read_nth,
        read_day_stretch,
        read_month_day,
        read_amount,
        read_digits,
        read_day_of_month,
        read_clock,
    )
)


_CLOCKS = frozenset({"clock", "hour", "loose", "digits"})
_NUMBER_CLOCKS: ReadersAt = tuple(each for each in _NUMBER_READERS if each[0] in (read_digits, read_clock))
"""Where only a time is looked for, the other readers need not try."""


@functools.lru_cache(maxsize=_MOST_LANGUAGES)
def _readers_by_word(words: DateWords) -> dict[str, ReadersAt]:
    readers: dict[str, list[tuple[ReadPiece, frozenset[str] | None]]] = {}
    for read, names in _READERS:
        tables: list[Phrases[object]] = [getattr(words, name) for name in names]
        for word in frozenset().union(*(table.first_words for table in tables)):
            seconds = [table.second_words(word) for table in tables]
            following = None if None in seconds else frozenset().union(*(found for found in seconds if found))
            readers.setdefault(word, []).append((read, following))
    return {word: tuple(found) for word, found in readers.items()}


@functools.lru_cache(maxsize=_MOST_LANGUAGES)
def starting_words(words: DateWords) -> frozenset[str]:
    """The first words of everything that a date can start with, its preposition included."""
    return words.prepositions.first_words | frozenset(_readers_by_word(words))


def may_start(reader: Reader, start: int) -> bool:
    """Whether any reader would try here: "for milk" is left at once."""
    if start >= len(reader.tokens):
        return False
    token = reader.tokens[start]
    return token.number is not None or token.word in _readers_by_word(reader.words)


def read_piece(reader: Reader, start: int, kinds: frozenset[str]) -> Piece | None:
    """The first piece of one of these kinds that starts here."""
    if start >= len(reader.tokens):
        return None
    token = reader.tokens[start]
    if token.number is not None:
        readers = _NUMBER_CLOCKS if kinds and kinds <= _CLOCKS else _NUMBER_READERS
    else:
        readers = _readers_by_word(reader.words).get(token.word, ())
        if kinds and kinds <= _CLOCKS:
            readers = readers[-1:] if readers and readers[-1][0] is read_clock else ()
    if not readers or reader.words.not_dates.find(reader.tokens, start) is not None:
        return None
    second = reader.word(start + 1)
    for read, following in readers:
        if following is not None and second not in following:
            continue
        piece = read(reader, start)
        if piece is not None and (not kinds or piece.kind in kinds):
            return piece
    return None
