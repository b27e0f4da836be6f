"""Public utterances, read from a folder that is no part of the project, and a run of them.

A folder holds `tasks_<split>`, `lists_<split>`, `borderline_<split>` and `negatives_<split>`, each as
`.jsonl.gz` with one row a line: text, accept (the labels that count as right), source, lang, id.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from domains.loading import TASKS, load_domain
from engine.decision import Context, Decider, Decision
from engine.targets.memory_index import MemoryIndex
from evals.runner import MessageReading, ReportProgress, make_reading

TIERS = ("tasks", "lists", "borderline", "negatives")
NEGATIVES_PER_SOURCE = 3000
"""One large source would outweigh all others; the rows that stay are the same each time."""
NOW = datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001 - a wall clock, as the Context has it


@dataclass(frozen=True, slots=True)
class PublicRow:
    id: str
    text: str
    language: str
    tier: str
    source: str
    accepted: tuple[str, ...]
    """The label first."""

    @property
    def strict(self) -> bool:
        """Rows that accept several readings say little about how well intents are read."""
        return len(self.accepted) == 1


@dataclass(frozen=True, slots=True)
class RowResult:
    row: PublicRow
    reading: MessageReading | None
    decision: Decision | None
    error: str = ""


def load_rows(folder: Path, split: str) -> tuple[PublicRow, ...]:
    rows = {tier: list(_read_tier(folder / f"{tier}_{split}.jsonl.gz", tier)) for tier in TIERS}
    rows["negatives"] = _capped(rows["negatives"])
    return tuple(row for tier in TIERS for row in rows[tier])


def run_rows(
    decider: Decider, rows: Sequence[PublicRow], progress: ReportProgress | None = None, domain: str = TASKS
) -> tuple[RowResult, ...]:
    """Every row on its own: no tasks, no history. One failing row never ends the run."""
    results = []
    nothing, languages = MemoryIndex(()), load_domain(domain).languages
    for done, row in enumerate(rows, start=1):
        # A language that the domain does not speak is read as its first.
        language = row.language if row.language in languages else languages[0]
        results.append(_run_row(decider, row, Context(nothing, NOW, language=language)))
        if progress:
            progress(done, len(rows))
    return tuple(results)


def _run_row(decider: Decider, row: PublicRow, context: Context) -> RowResult:
    try:
        decision = decider.decide(row.text, context)
        reading = make_reading(
            decision,
            reading_id=row.id,
            text=row.text,
            language=row.language,
            group=row.source,
            accepted=row.accepted,
        )
    except Exception as error:
        return RowResult(row, None, None, f"{type(error).__name__}: {error}")
    return RowResult(row, reading, decision)


def _read_tier(path: Path, tier: str) -> Iterator[PublicRow]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield _make_row(json.loads(line), tier)


def _make_row(entry: dict[str, Any], tier: str) -> PublicRow:
    label = str(entry["intent"])
    others = tuple(str(each) for each in entry["accept"] if each != label)
    accepted = (label, *others) if label in entry["accept"] else others
    return PublicRow(str(entry["id"]), str(entry["text"]), str(entry["lang"]), tier, str(entry["source"]), accepted)


def _capped(rows: Sequence[PublicRow]) -> list[PublicRow]:
    groups: defaultdict[tuple[str, str], list[PublicRow]] = defaultdict(list)
    for row in rows:
        groups[row.source, row.language].append(row)
    kept = []
    for key in sorted(groups):
        random.Random(1).shuffle(groups[key])  # noqa: S311 - no secret
        kept += groups[key][:NEGATIVES_PER_SOURCE]
    return kept
