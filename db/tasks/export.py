"""Tasks as files that people open elsewhere."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict

from engine.values import Task

COLUMNS = (
    "number",
    "title",
    "description",
    "priority",
    "status",
    "due_date",
    "created_at",
    "updated_at",
    "completed_at",
    "id",
)
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet runs a cell that begins like this. See `neutralise`."""


def export_csv(tasks: Iterable[Task]) -> bytes:
    """With a byte order mark, so that a spreadsheet reads the accents right."""
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, COLUMNS)
    writer.writeheader()
    for task in tasks:
        writer.writerow({name: neutralise(value) for name, value in asdict(task).items()})
    return buffer.getvalue().encode("utf-8-sig")


def export_json(tasks: Iterable[Task]) -> bytes:
    rows = [{name: asdict(task)[name] for name in COLUMNS} for task in tasks]
    return json.dumps(rows, ensure_ascii=False, indent=2).encode()


def neutralise(value: object) -> object:
    """A leading apostrophe makes a spreadsheet show a formula instead of running it; import takes it off."""
    if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA_STARTS):
        return "'" + value
    return value
