"""The year behind a day or a month: March 10, 2027; Natale 2027; December next year."""

from __future__ import annotations

from engine.dates.days import Reader

_YEARS = range(1990, 2201)


def read_year(reader: Reader, start: int) -> tuple[int, int | None]:
    """The token after it, and the year if there is one."""
    at = start + 1 if reader.word(start) in (",", "del") else start
    year = reader.number(at)
    if year is not None and year in _YEARS and reader.word(at + 1) not in ("am", "pm"):
        return at + 1, year
    of = reader.words.of.find(reader.tokens, start)
    named = reader.words.ranges.find(reader.tokens, of[0] if of else start)
    if named is not None and named[1] in ("this_year", "next_year"):
        return named[0], reader.today.year + (named[1] == "next_year")
    return start, None
