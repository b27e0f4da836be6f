"""Reading tasks from a file: every good row is kept, every bad one is reported by its line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from db.failures import ToolFailure
from db.tasks.due import parse_due
from db.tasks.export import restore_cell
from db.text import clean_description, clean_title, one_of
from engine.values import PRIORITIES, STATUSES, ErrorKind

MOST_ROWS = 10_000
MOST_BYTES = 10 * 1024 * 1024
_ALIASES = {"due": "due_date", "due date": "due_date", "name": "title", "task": "title", "notes": "description"}


@dataclass(frozen=True, slots=True)
class ImportRow:
    line: int
    title: str
    description: str
    priority: str
    status: str
    due_date: str | None
    id: str | None
    """The id in an exported file: a task that is still there is not added twice."""


@dataclass(frozen=True, slots=True)
class ImportProblem:
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class ImportPlan:
    rows: tuple[ImportRow, ...]
    problems: tuple[ImportProblem, ...]


def read_import(content: bytes, filename: str) -> ImportPlan:
    """What the file holds, by its ending: .csv, .json (a list) or .jsonl. Raises ToolFailure if it cannot be read."""
    rows: list[ImportRow] = []
    problems: list[ImportProblem] = []
    for line, record in _records(_decode(content), filename.lower()):
        if len(rows) + len(problems) >= MOST_ROWS:
            problems.append(ImportProblem(line, f"The rest was left out: one import takes at most {MOST_ROWS:,} rows."))
            break
        try:
            if isinstance(record, ToolFailure):
                raise record
            rows.append(_read_row(line, record))
        except ToolFailure as failure:
            problems.append(ImportProblem(line, failure.message))
    return ImportPlan(tuple(rows), tuple(problems))


def _decode(content: bytes) -> str:
    if len(content) > MOST_BYTES:
        raise _unreadable(f"The file is larger than {MOST_BYTES // 1024 // 1024} MB.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _unreadable("The file is not text in UTF-8. Save it as “CSV UTF-8” and try again.") from None
    if "\0" in text:
        raise _unreadable("The file is not text.")
    if not text.strip():
        raise _unreadable("The file is empty.")
    return text


def _records(text: str, filename: str) -> Iterator[tuple[int, Mapping[str, Any] | ToolFailure]]:
    if filename.endswith(".csv"):
        return _csv_records(text)
    if filename.endswith(".jsonl"):
        return _json_lines(text)
    if filename.endswith(".json"):
        return _json_records(text)
    raise _unreadable("Only .csv, .json and .jsonl files can be imported.")


def _csv_records(text: str) -> Iterator[tuple[int, Mapping[str, Any] | ToolFailure]]:
    header = text.lstrip().splitlines()[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        columns = [_column(name) for name in next(reader)]
        if "title" not in columns:
            raise _unreadable("The first line must name the columns, and one of them must be “title”.")
        first_line = reader.line_num + 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield first_line, _csv_record(columns, cells)
            first_line = reader.line_num + 1
    except csv.Error as error:
        raise _unreadable(f"Line {reader.line_num}: {error}.") from None


def _csv_record(columns: list[str], cells: list[str]) -> Mapping[str, Any] | ToolFailure:
    if len(cells) > len(columns):
        message = f"{len(cells)} cells where the first line names {len(columns)} columns."
        return ToolFailure(ErrorKind.INVALID_VALUE, message)
    return {column: restore_cell(cell) for column, cell in zip(columns, cells, strict=False)}


def _json_lines(text: str) -> Iterator[tuple[int, Mapping[str, Any] | ToolFailure]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (json.JSONDecodeError, RecursionError):
                yield number, ToolFailure(ErrorKind.INVALID_VALUE, "This line is not JSON.")


def _json_records(text: str) -> Iterator[tuple[int, Mapping[str, Any] | ToolFailure]]:
    """The items of a list one by one, with the line on which each begins."""
    decoder = json.JSONDecoder()
    position = len(text) - len(text.lstrip())
    if not text.startswith("[", position):
        raise _unreadable("A .json file must hold a list of tasks.")
    position, line, counted = position + 1, 1, 0
    try:
        while True:
            position = _skip(text, position, " \t\r\n,")
            if text.startswith("]", position):
                return
            line, counted = line + text.count("\n", counted, position), position
            item, position = decoder.raw_decode(text, position)
            yield line, item
    except (json.JSONDecodeError, RecursionError):
        raise _unreadable(f"Line {line}: this is not valid JSON.") from None


def _skip(text: str, position: int, characters: str) -> int:
    while position < len(text) and text[position] in characters:
        position += 1
    return position


def _read_row(line: int, record: Any) -> ImportRow:
    if not isinstance(record, Mapping):
        raise ToolFailure(ErrorKind.WRONG_TYPE, "This is not a task: expected an object with a title.")
    values = {_column(str(name)): value for name, value in record.items()}
    for name in ("title", "description", "priority", "status", "due_date"):
        if not isinstance(values.get(name, ""), str | None):
            raise ToolFailure(ErrorKind.WRONG_TYPE, f"“{name}” must be text.")
    due = (values.get("due_date") or "").strip()
    return ImportRow(
        line=line,
        title=clean_title(values.get("title") or ""),
        description=clean_description(values.get("description") or ""),
        priority=one_of("priority", (values.get("priority") or "medium").strip().lower(), PRIORITIES),
        status=one_of("status", (values.get("status") or "pending").strip().lower(), STATUSES),
        due_date=str(parse_due(due)) if due else None,
        id=values["id"] if isinstance(values.get("id"), str) else None,
    )


def _column(name: str) -> str:
    folded = name.strip().lower()
    return _ALIASES.get(folded, folded)


def _unreadable(message: str) -> ToolFailure:
    return ToolFailure(ErrorKind.INVALID_VALUE, message)
