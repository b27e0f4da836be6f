"""One small class a library, so that all of them answer the same question: which dates stand in this text, where?"""

from __future__ import annotations

import importlib.metadata
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol


@dataclass(frozen=True)
class Found:
    span: tuple[int, int] | None
    """None where the library does not say."""
    moment: datetime | None


class Finder(Protocol):
    name: str
    version: str
    licence: str
    languages: tuple[str, ...]
    has_spans: bool

    def find(self, text: str, now: datetime, language: str) -> list[Found]: ...


class Ours:
    name, version, licence, languages, has_spans = "engine.dates", "this tree", "as the project", ("en", "it"), True

    def __init__(self) -> None:
        from domains.loading import load_policy
        from engine.dates import find_dates

        self._find, self._load = find_dates, load_policy

    def find(self, text: str, now: datetime, language: Any) -> list[Found]:
        return [
            Found((match.span.start, match.span.end), datetime.fromisoformat(match.value))
            for match in self._find(text, now, self._load(language).date_words)
        ]


class Library:
    package = ""
    languages: tuple[str, ...] = ("en",)
    has_spans = True
    licence = ""

    def __init__(self) -> None:
        self.name = self.package
        self.version = importlib.metadata.version(self.package)


class Dateparser(Library):
    package, licence, languages = "dateparser", "BSD-3", ("en", "it")

    def __init__(self) -> None:
        super().__init__()
        from dateparser.search import search_dates

        self._search = search_dates

    def find(self, text: str, now: datetime, language: str) -> list[Found]:
        settings = {"RELATIVE_BASE": now, "PREFER_DATES_FROM": "future"}
        found, after = [], 0
        for words, moment in self._search(text, languages=[language], settings=settings) or ():
            start = text.find(words, after)
            after = start + len(words) if start >= 0 else after
            found.append(Found((start, after) if start >= 0 else None, moment))
        return found


class Parsedatetime(Library):
    package, licence = "parsedatetime", "Apache-2.0"

    def __init__(self) -> None:
        super().__init__()
        import parsedatetime

        self._calendar = parsedatetime.Calendar()

    def find(self, text: str, now: datetime, language: str) -> list[Found]:
        return [Found((start, end), moment) for moment, _, start, end, _ in self._calendar.nlp(text, now) or ()]


class Recurrent(Library):
    package, licence, has_spans = "recurrent", "BSD", False

    def __init__(self) -> None:
        super().__init__()
        from dateutil.rrule import rrulestr
        from recurrent import RecurringEvent

        self._make, self._rule = RecurringEvent, rrulestr

    def find(self, text: str, now: datetime, language: str) -> list[Found]:
        parsed = self._make(now_date=now).parse(text)
        if isinstance(parsed, str):
            try:
                parsed = self._rule(parsed, dtstart=now).after(now, inc=True)
            except ValueError:
                return [Found(None, None)]
        return [Found(None, parsed)] if parsed else []


class Timefhuman(Library):
    package, licence = "timefhuman", "Apache-2.0"

    def __init__(self) -> None:
        super().__init__()
        from timefhuman import tfhConfig, timefhuman

        self._parse, self._config = timefhuman, tfhConfig

    def find(self, text: str, now: datetime, language: str) -> list[Found]:
        found = self._parse(text, self._config(now=now, return_matched_text=True))
        return [Found(tuple(span), _first_moment(value, now)) for _, span, value in found or ()]


class Ctparse(Library):
    package, licence = "ctparse", "MIT"

    def __init__(self) -> None:
        super().__init__()
        from ctparse import ctparse

        logging.getLogger("ctparse").setLevel(logging.CRITICAL)  # it warns about every text without a date
        self._parse = ctparse

    def find(self, text: str, now: datetime, language: str) -> list[Found]:
        parsed = self._parse(text, ts=now, timeout=1.0)
        if parsed is None or parsed.resolution is None:
            return []
        value = parsed.resolution
        start = getattr(value, "start", None) or getattr(value, "t_from", None) or value
        try:
            moment = start.dt
        except (AttributeError, TypeError, ValueError):
            moment = None
        return [Found((value.mstart, value.mend), moment)]


class Dateutil(Library):
    package, licence, has_spans = "python-dateutil", "Apache-2.0 or BSD-3", False

    def __init__(self) -> None:
        super().__init__()
        from dateutil import parser

        self._parse = parser.parse

    def find(self, text: str, now: datetime, language: str) -> list[Found]:
        try:
            return [Found(None, self._parse(text, fuzzy=True, default=now.replace(hour=0, minute=0)))]
        except (ValueError, OverflowError):
            return []


def _first_moment(value: Any, now: datetime) -> datetime | None:
    """The beginning of a range or a list; a duration counts from now."""
    while isinstance(value, list | tuple) and value:
        value = value[0]
    if isinstance(value, datetime):
        return value
    if hasattr(value, "year"):
        return datetime(value.year, value.month, value.day)  # noqa: DTZ001 - a wall clock
    if hasattr(value, "hour"):
        return now.replace(hour=value.hour, minute=value.minute)
    return now + value if hasattr(value, "total_seconds") else None


FINDERS: dict[str, Callable[[], Finder]] = {
    "engine.dates": Ours,
    "dateparser": Dateparser,
    "parsedatetime": Parsedatetime,
    "recurrent": Recurrent,
    "timefhuman": Timefhuman,
    "ctparse": Ctparse,
    "python-dateutil": Dateutil,
}
