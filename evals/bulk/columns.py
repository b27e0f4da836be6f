"""A shard as a Parquet file: a row a message, and the shard's counts in the metadata.

One file with both is there whole or not at all, so a shard that has its file is finished.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from evals.bulk.files import Shard
from evals.bulk.rows import write_context
from evals.bulk.tally import ShardTally
from evals.bulk.values import DecidedMessage

COUNTS = b"twolane.counts"
SHARD = b"twolane.shard"
_TEXT = pa.string()
_NAMED = pa.dictionary(pa.int32(), pa.string())
_SIDE = {
    "action": _NAMED, "intent": _NAMED, "final": _NAMED, "behind": _NAMED, "reason": _NAMED, "confidence": pa.float64(),
    "calls": _TEXT, "rules": pa.list_(_TEXT), "verdict": _NAMED, "label": _NAMED, "problem": _TEXT,
}  # fmt: skip
_MESSAGE = {
    "row": pa.int32(), "file": _NAMED, "line": pa.int64(), "id": _TEXT, "text": _TEXT, "context": _TEXT,
    "language": _NAMED, "source": _NAMED, "length": _NAMED, "place": _NAMED, "tags": pa.list_(_TEXT),
    "accepted": pa.list_(_TEXT), "draw": pa.int64(),
}  # fmt: skip
OTHER = "other_"
"""Before the columns of what the first decider is held against."""


def make_schema(*, both: bool) -> pa.Schema:
    columns = {**_MESSAGE, **_SIDE}
    if both:
        columns |= {f"{OTHER}{name}": kind for name, kind in _SIDE.items()}
        columns |= {"changed": _NAMED, "change": _NAMED}
    return pa.schema(list(columns.items()))


def write_shard(shard: Shard, rows: Sequence[DecidedMessage], tally: ShardTally, *, both: bool) -> bytes:
    schema, file = make_schema(both=both), Path(shard.file).name
    columns: dict[str, list[Any]] = {name: [] for name in schema.names}
    for place, row in enumerate(rows):
        for name, value in _cells(place, row, file).items():
            columns[name].append(value)
    about: dict[str, Any] = {"file": shard.file, "first": shard.first, "rows": shard.rows, "span": shard.span}
    about |= {"messages": tally.messages, "bad": tally.bad, "distinct": tally.distinct}
    metadata = {COUNTS: json.dumps(tally.written()).encode(), SHARD: json.dumps(about).encode()}
    sink = io.BytesIO()
    pq.write_table(pa.table(columns, schema=schema.with_metadata(metadata)), sink, compression="zstd")
    return sink.getvalue()


def _cells(place: int, row: DecidedMessage, file: str) -> dict[str, Any]:
    message = row.message
    parts = dict(row.parts)
    cells: dict[str, Any] = {
        "row": place,
        "file": file,
        "line": message.line,
        "id": message.id,
        "text": message.text.encode("utf-8", "replace").decode(),
        "context": write_context(message),
        "language": parts["language"],
        "source": message.source or None,
        "length": parts["length"],
        "place": parts["place"],
        "tags": list(message.tags),
        "accepted": list(message.accepted),
        "draw": row.draw,
    }
    for side, answer in enumerate(row.answers):
        before = OTHER if side else ""
        mark = row.marks[side] if row.marks else None
        cells |= {
            f"{before}action": answer.action,
            f"{before}intent": answer.intent,
            f"{before}final": answer.final,
            f"{before}behind": answer.behind,
            f"{before}reason": answer.reason or None,
            f"{before}confidence": answer.confidence,
            f"{before}calls": answer.calls or None,
            f"{before}rules": list(answer.rules),
            f"{before}verdict": mark.verdict if mark else None,
            f"{before}label": mark.label if mark else None,
            f"{before}problem": answer.problem or None,
        }
    if len(row.answers) > 1:
        cells |= {"changed": row.sort, "change": row.change}
    return cells


def read_counts(path: Path) -> dict[str, Any]:
    """What `ShardTally.written` wrote."""
    return _read(path, COUNTS)


def read_about(path: Path) -> dict[str, Any]:
    """Which stretch of which file the shard is."""
    return _read(path, SHARD)


def _read(path: Path, name: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(pq.read_schema(path).metadata[name])
    return found


def read_rows(path: Path, places: Sequence[int]) -> list[dict[str, Any]]:
    """Messages of a shard by their rows; one that it does not have is left out."""
    table = pq.read_table(path)
    there = pa.array([place for place in places if 0 <= place < len(table)], pa.int64())
    found: list[dict[str, Any]] = table.take(there).to_pylist()
    return found
