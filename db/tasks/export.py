"""Tasks as files that people open elsewhere."""

from __future__ import annotations

import csv
import io
import json
import re
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
_FORMULA = re.compile(r"['\s\u200b-\u200f\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|'*[\t\r]")
"""A spreadsheet runs a cell that begins like this, in some languages also with signs of full width. Apostrophes before
it count, too: only then does one that a title has of its own come back from the way out and in."""


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
    return "'" + value if isinstance(value, str) and _FORMULA.match(value) else value


def restore_cell(cell: str) -> str:
    """What `neutralise` was given."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell, 1) else cell
