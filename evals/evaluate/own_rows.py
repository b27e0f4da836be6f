"""The lines of a user's file, each with its number: an object, or what is wrong with it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from db.tasks.export import restore_cell

TEXTS = ("text", "message", "utterance", "sentence")
"""How the column with the message may be called."""
SAID = (*TEXTS, "id", "intent", "tool", "arguments", "target", "action", "context", "tags", "severity", "domain")
Row = Mapping[str, Any]


class BadLineError(ValueError):
    """What is wrong with a line, in a few words."""


def read_json_rows(text: str) -> Iterator[tuple[int, Row | Exception]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            where = f": {error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
            yield number, BadLineError(f"not valid JSON{where}")
            continue
        yield number, row if isinstance(row, dict) else BadLineError("a line must be a JSON object")


def read_csv_rows(text: str) -> Iterator[tuple[int, Row | Exception]]:
    first_line = text.partition("\n")[0]
    delimiter = max(",;\t", key=first_line.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    names: list[str] = []
    before = 0
    while True:
        number = before + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            before = max(reader.line_num, number)
            yield number, BadLineError(str(error))
            continue
        before = reader.line_num
        if not names:
            names = [cell.strip().casefold() for cell in cells]
            if not set(names) & set(TEXTS):
                yield number, BadLineError("the first line must name the columns, one of them text")
                return
        elif any(cell.strip() for cell in cells):
            yield number, _row_of(names, cells)


def _row_of(names: list[str], cells: list[str]) -> Row | Exception:
    row: dict[str, Any] = {}
    for name, cell in zip(names, cells, strict=False):
        value = restore_cell(cell.strip())
        if not value:
            continue
        if name in ("arguments", "context"):
            try:
                row[name] = json.loads(value)
            except (json.JSONDecodeError, RecursionError):
                return BadLineError(f"{name} must be a JSON object")
        elif name in SAID:
            row[name] = value
    return row
