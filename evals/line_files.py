"""Messages to compare, from what was pasted or from a file. A bad line is told by its number; the good ones stay."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from db.tasks.export import restore_cell
from domains.loading import TASKS, load_domain
from engine.border.plain import WireError
from engine.border.wire import read_context, read_text
from evals.expecting import ExpectationError, find_expected, read_expected

LINE_LIMIT = 10_000
Form = Literal["text", "csv", "jsonl"]
_EXPECTED_COLUMNS = ("expected", "label", "intent", "tool")
_TEXT_COLUMNS = ("text", "message", "utterance", "sentence")
_NO_CONTEXT = ("id", "text", "user", "domain", "answers", "expected")
"""What a line may have besides its context: `answers` stand in a comparison that was exported."""
_ANY_TIME = datetime(2026, 1, 1, tzinfo=UTC)
_UNREADABLE = "\ufffd"


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    """Where it stands in the file, from 1."""
    text: str
    context: Mapping[str, Any] | None = None
    """Its own tasks and history, in the form of `engine.border.wire`; None: it has none."""
    expected: Mapping[str, Any] | None = None
    """What it should come to, as a case says it; None: nobody said."""


@dataclass(frozen=True, slots=True)
class Lines:
    found: tuple[Line, ...] = ()
    problems: tuple[str, ...] = ()


class _BadLineError(ValueError):
    pass


def form_of(file_name: str) -> Form:
    ending = file_name.rpartition(".")[2].lower()
    return "csv" if ending == "csv" else "jsonl" if ending in ("jsonl", "ndjson", "json") else "text"


def read_lines(content: bytes | str, form: Form, domain: str = TASKS) -> Lines:
    """Every line that can be used, up to the limit, and a sentence about each that cannot."""
    text = content if isinstance(content, str) else content.decode("utf-8-sig", errors="replace")
    found: list[Line] = []
    problems: list[str] = []
    for number, entry, label in _entries(text, form, domain):
        if len(found) >= LINE_LIMIT:
            problems.append(f"line {number} and what follows was left out: {LINE_LIMIT:,} lines are the most")
            break
        try:
            found.append(_read(number, entry, label, form, domain))
        except (_BadLineError, ExpectationError) as error:
            problems.append(f"line {number}: {error}")
    return Lines(tuple(found), tuple(problems))


def _entries(text: str, form: Form, domain: str) -> Iterator[tuple[int, str, str]]:
    """Each line with its number and what stands beside it as expected."""
    if form == "csv":
        yield from _cells(text)
        return
    # Not splitlines(): an editor counts "\n" only, and a message may hold other separators.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            said, tab, label = line.rstrip("\r").rpartition("\t")
            # Two columns of a spreadsheet, pasted. Any other tab is part of the message.
            beside = bool(tab and form == "text" and find_expected(label, domain))
            yield number, said if beside else line.rstrip("\r"), label if beside else ""


def _cells(text: str) -> Iterator[tuple[int, str, str]]:
    """The cells with the message of each row and with what is expected; "" where the row has none."""
    first_line = text.partition("\n")[0]
    delimiter = max(",;\t", key=first_line.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    place, label, before = 0, -1, 0
    while True:
        number = before + 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield number, f"{_UNREADABLE}{error}", ""
            before = max(rows.line_num, number)
            continue
        before = rows.line_num
        names = [cell.strip().casefold() for cell in row]
        if number == 1 and any(name in _TEXT_COLUMNS for name in names):
            place = next(names.index(name) for name in _TEXT_COLUMNS if name in names)
            label = next((names.index(name) for name in _EXPECTED_COLUMNS if name in names), -1)
        elif any(cell.strip() for cell in row):
            yield number, row[place] if place < len(row) else "", row[label] if 0 <= label < len(row) else ""


def _read(number: int, entry: str, label: str, form: Form, domain: str) -> Line:
    if _UNREADABLE in entry:
        raise _BadLineError("not text in UTF-8")
    if form == "jsonl":
        return _read_json(number, entry, domain)
    text = restore_cell(entry.strip()).strip()  # our own exports keep a spreadsheet from running a cell
    if not text:
        raise _BadLineError("there is no message in it")
    return Line(number, text, expected=read_expected(restore_cell(label), domain))


def _read_json(number: int, entry: str, domain: str) -> Line:
    try:
        data = json.loads(entry)
        text = read_text(data)
        read_context(data, _ANY_TIME, load_domain(domain))
    except json.JSONDecodeError as error:
        raise _BadLineError(f"not valid JSON: {error.msg}, column {error.colno}") from None
    except (WireError, RecursionError) as error:
        raise _BadLineError(str(error)) from None
    own = {name: value for name, value in data.items() if name not in _NO_CONTEXT and value is not None}
    return Line(number, text, own or None, read_expected(data.get("expected"), domain))
