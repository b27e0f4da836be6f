"""Messages of a bulk run, looked up in its Parquet files by DuckDB. The only file that imports it.

Only a page of rows is ever read into memory; what DuckDB may take for the rest is bounded.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from evals.bulk.columns import OTHER, read_rows
from evals.bulk.folder import SHARDS, RunFolder

_CONFIG: dict[str, str | bool | int | float | list[str]] = {"memory_limit": "512MB", "threads": 2}
_PARTS = ("language", "source", "length", "place")
TAG = "tag"
ANY_WAY = "any"


def has_duckdb() -> bool:
    return importlib.util.find_spec("duckdb") is not None


@dataclass(frozen=True, slots=True)
class MessageFilter:
    """Everything that is set must hold. What is of a decider is of the one with this number."""

    side: int = 0
    verdict: str = ""
    passed: bool | None = None
    label: str = ""
    final: str = ""
    behind: str = ""
    rule: str = ""
    part: tuple[str, str] | None = None
    """A slice's name and value."""
    changed: str = ""
    """In which way the two decide otherwise; "any": in whichever."""
    change: str = ""
    """fixed or broken, where there is a label."""
    pair: tuple[str, str] | None = None
    """What it came to before, and comes to now; only where that is another decision."""
    text: str = ""


class FoundAnswer(NamedTuple):
    action: str | None
    intent: str
    final: str
    reason: str
    confidence: float | None
    calls: tuple[dict[str, Any], ...]
    verdict: str | None
    problem: str | None


class FoundMessage(NamedTuple):
    shard: int
    row: int
    file: str
    line: int
    id: str
    text: str
    language: str
    source: str | None
    tags: tuple[str, ...]
    accepted: tuple[str, ...]
    changed: str | None
    answers: tuple[FoundAnswer, ...]


def count_messages(run: RunFolder, wanted: MessageFilter) -> int:
    where, values = _where(wanted)
    rows = _ask(run, f"SELECT count(*) FROM {_FROM} WHERE {where}", values)  # noqa: S608 - values are bound
    return int(rows[0]["count_star()"])


def find_messages(run: RunFolder, wanted: MessageFilter, *, limit: int, offset: int) -> tuple[FoundMessage, ...]:
    """In the order of the files. First where they are, for to sort whole rows takes seconds far back in a million."""
    where, values = _where(wanted)
    query = (
        f"SELECT filename, row FROM {_FROM} WHERE {where} "  # noqa: S608 - names are ours, values are bound
        f"ORDER BY filename, row LIMIT {int(limit)} OFFSET {int(offset)}"
    )
    places: dict[str, list[int]] = {}
    for each in _ask(run, query, values):
        places.setdefault(str(each["filename"]), []).append(int(each["row"]))
    return tuple(
        make_found(int(Path(file).stem), row) for file, rows in places.items() for row in read_rows(Path(file), rows)
    )


def find_message(run: RunFolder, shard: int, row: int) -> dict[str, Any] | None:
    """One message with its context, as its shard has it; needs no DuckDB. None: there is none."""
    path = run.shard_path(shard)
    found = read_rows(path, [row]) if path.exists() else []
    return found[0] if found else None


_FROM = "read_parquet(?, filename = true)"


def _ask(run: RunFolder, query: str, values: list[Any]) -> list[dict[str, Any]]:
    import duckdb

    if not run.shard_paths():
        return [{"count_star()": 0}] if "count(*)" in query else []
    with duckdb.connect(":memory:", config=_CONFIG) as connection:
        # What is half written begins with a dot, which a pattern of digits leaves out.
        found = connection.execute(query, [str(run.path / SHARDS / "[0-9]*.parquet"), *values])
        names = [each[0] for each in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


_Condition = tuple[str, list[Any]]


def _where(wanted: MessageFilter) -> tuple[str, list[Any]]:
    found = [*_of_decider(wanted), *_of_message(wanted), *_of_change(wanted)]
    return " AND ".join(text for text, _ in found) or "true", [value for _, values in found for value in values]


def _of_decider(wanted: MessageFilter) -> Iterator[_Condition]:
    before = OTHER if wanted.side else ""
    for name in ("verdict", "label", "final", "behind"):
        if value := getattr(wanted, name):
            yield f"{before}{name} = ?", [value]
    if wanted.passed is not None:
        yield f"{before}verdict {'=' if wanted.passed else '<>'} 'right'", []
    if wanted.rule:
        yield f"list_contains({before}rules, ?)", [wanted.rule]


def _of_message(wanted: MessageFilter) -> Iterator[_Condition]:
    name, value = wanted.part or ("", "")
    if name == TAG:
        yield "list_contains(tags, ?)", [value]
    elif name in _PARTS:
        yield f"{name} = ?", [value]
    if wanted.text:
        words = "contains(strip_accents(lower(text)), strip_accents(lower(?)))"
        yield f"({words} OR id = ?)", [wanted.text, wanted.text]


def _of_change(wanted: MessageFilter) -> Iterator[_Condition]:
    if wanted.changed == ANY_WAY:
        yield "changed IS NOT NULL", []
    elif wanted.changed:
        yield "changed = ?", [wanted.changed]
    if wanted.change:
        yield "change = ?", [wanted.change]
    if wanted.pair:
        yield f"{OTHER}final = ? AND final = ? AND changed IS NOT NULL", list(wanted.pair)


def make_found(shard: int, row: dict[str, Any]) -> FoundMessage:
    sides = ["", *([OTHER] if f"{OTHER}action" in row else [])]
    return FoundMessage(
        shard=shard,
        row=int(row["row"]),
        file=str(row["file"]),
        line=int(row["line"]),
        id=str(row["id"]),
        text=str(row["text"]),
        language=str(row["language"]),
        source=row["source"],
        tags=tuple(row["tags"] or ()),
        accepted=tuple(row["accepted"] or ()),
        changed=row.get("changed"),
        answers=tuple(_answer(row, before) for before in sides),
    )


def _answer(row: dict[str, Any], before: str) -> FoundAnswer:
    calls = row[f"{before}calls"]
    return FoundAnswer(
        action=row[f"{before}action"],
        intent=str(row[f"{before}intent"]),
        final=str(row[f"{before}final"]),
        reason=str(row[f"{before}reason"] or ""),
        confidence=row[f"{before}confidence"],
        calls=tuple(json.loads(calls)) if calls else (),
        verdict=row[f"{before}verdict"],
        problem=row[f"{before}problem"],
    )
