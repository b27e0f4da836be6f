"""Dates in messages, by the words of a language: `find_dates` in a text, `parse_date` for a text that is one,
`find_hours` for bare hours, `find_shift` for the amount by which a date is moved."""

from engine.dates.finder import find_dates, parse_date
from engine.dates.hours import find_hours
from engine.dates.match import DateMatch, ends_a_stretch
from engine.dates.shift import DateShift, find_shift

__all__ = ["DateMatch", "DateShift", "ends_a_stretch", "find_dates", "find_hours", "find_shift", "parse_date"]
