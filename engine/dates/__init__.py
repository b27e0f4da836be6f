"""Dates in messages, English and Italian: `find_dates` in a text, `parse_date` for a text that is one."""

from engine.dates.finder import find_dates, parse_date
from engine.dates.match import DateMatch

__all__ = ["DateMatch", "find_dates", "parse_date"]
