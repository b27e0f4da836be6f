"""The turns that the router is learned from: what both lanes decided and how each way of going on came out.

Of a decision only what is looked at is kept, and no message: `notice_both` says the same of a row as of the whole.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROWS = Path(__file__).parents[1] / "router_rows.jsonl.gz"
_NEVER_LOOKED_AT = frozenset(
    {
        *("steps", "ledger", "thresholds", "sentences", "message", "slots", "policy_version", "language", "taught"),
        *("call_confidences", "elapsed_ms"),
    }
)


def read_rows(path: Path = ROWS) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_rows(rows: Iterable[Mapping[str, Any]], path: Path = ROWS) -> None:
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows]
    path.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))  # no time in it: the same rows, the same file


def make_row(record: Mapping[str, Any], engine: str) -> dict[str, Any]:
    """`engine`: which one decided; it must not have been mended on the conversation yet."""
    return {
        "id": record["id"],
        "by": engine,
        "engine": _shorten(record["engine"]),
        "llm": _shorten({**record["llm"], "scores": ()}) if record["llm"] else None,
        "log_probabilities": [round(each, 4) for each in record["log_probabilities"]],
        "verdicts": record["verdicts"],
    }


def _shorten(decision: Mapping[str, Any]) -> dict[str, Any]:
    """What is not said has its default when it is read."""
    return {
        name: value
        for name, value in decision.items()
        if name not in _NEVER_LOOKED_AT and value not in (None, "", [], (), {})
    }
