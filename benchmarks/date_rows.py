"""Texts with the place of their dates: our own phrases and the marked public utterances."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import yaml


@dataclass(frozen=True)
class Row:
    text: str
    language: str
    now: datetime
    spans: tuple[tuple[int, int], ...]
    """Where the date words stand; none where the text has no date."""
    values: tuple[str, ...] = ()
    """The values that count as right; none where nobody wrote them down."""
    hand_written: bool = False


def load_phrases(paths: list[Path]) -> Iterator[Row]:
    for path in paths:
        language = path.stem[-2:]
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        for row in content["phrases"]:
            now = datetime.fromisoformat(row.get("now", content["now"]))
            if "value" not in row:
                yield Row(row["say"], language, now, (), hand_written=True)
                continue
            start = row["say"].index(row["text"])
            values = (str(row["value"]), *(str(other) for other in row.get("also", ())))
            yield Row(row["say"], language, now, ((start, start + len(row["text"])),), values, hand_written=True)


def load_utterances(folder: Path) -> Iterator[Row]:
    now = datetime(2026, 3, 4, 10, 0)  # noqa: DTZ001 - a wall clock, as the Context has it
    with gzip.open(folder / "tasks_dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            marked = row.get("params", {})
            said = marked.get("date_text")
            if said:
                starts = [(row["text"].find(part), len(part)) for part in said.split(" | ")]
                yield Row(row["text"], row["lang"], now, tuple((start, start + length) for start, length in starts))
            elif marked.get("title") and not marked.get("recurring"):
                yield Row(row["text"], row["lang"], now, ())
