"""What is counted of a shard, and how shards are added up: whole numbers only, so that their order cannot matter.

A count has a path: ("sides", "0", "actions", "execute"). What is written for people and pages is the same, nested.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evals.bulk.rows import BadLine
from evals.bulk.values import BulkAnswer, DecidedMessage, LabelMark

Path = tuple[str, ...]
BINS = 20
"""Of confidence, from 0 to 1."""
MILLION = 1_000_000
MOST_BAD = 50
"""Bad lines that are kept with what is wrong with them: the first of the files in their order."""
MOST_VALUES = 200
"""Of a part of the set (sources, tags); what comes beyond counts as one."""
OTHERS = "(others)"


@dataclass
class ShardTally:
    names: Sequence[str]
    counts: Counter[Path] = field(default_factory=Counter)
    bad_lines: list[dict[str, Any]] = field(default_factory=list)
    messages: int = 0
    bad: int = 0
    distinct: int = 0

    def add_bad(self, file: str, line: BadLine) -> None:
        self.bad += 1
        if len(self.bad_lines) < MOST_BAD:
            self.bad_lines.append({"file": file, "line": line.line, "problem": line.problem[:200]})

    def add(self, row: DecidedMessage) -> None:
        self.messages += 1
        counts = self.counts
        if row.message.context is not None:
            counts["with_context",] += 1
        if row.marks:
            counts["labelled",] += 1
        parts = row.parts
        for place, answer in enumerate(row.answers):
            mark = row.marks[place] if row.marks else None
            self._add_side(("sides", str(place)), answer, mark)
            self._add_parts(("sides", str(place), "slices"), parts, mark)
        if len(row.answers) > 1:
            self._add_change(row, parts)

    def _add_side(self, at: Path, answer: BulkAnswer, mark: LabelMark | None) -> None:
        counts = self.counts
        counts[*at, "actions", answer.action or "none"] += 1
        counts[*at, "intents", answer.intent] += 1
        counts[*at, "finals", answer.final] += 1
        counts[*at, "reasons", answer.reason or "none"] += 1
        counts[*at, "outcomes", answer.outcome] += 1
        place = bin_of(answer.confidence)
        counts[*at, "confidence", place] += 1
        if answer.problem:
            counts[
                *at,
                "failed",
            ] += 1
        for rule in answer.rules:
            counts[*at, "rules", rule, "fits"] += 1
        if mark is None:
            return
        counts[*at, "verdicts", mark.verdict] += 1
        counts[*at, "cells", mark.label, answer.final] += 1
        counts[*at, "cells_behind", mark.label, answer.behind] += 1
        if not mark.right:
            counts[*at, "wrong_cells", mark.label, answer.final] += 1
            counts[*at, "wrong_cells_behind", mark.label, answer.behind] += 1
        if mark.label == "unknown" and answer.action == "execute":
            counts[
                *at,
                "unasked",
            ] += 1
        if mark.reading_right:
            counts[
                *at,
                "read_right",
            ] += 1
        for rule in answer.rules:
            counts[*at, "rules", rule, "labelled"] += 1
            counts[*at, "rules", rule, "right"] += mark.right
        if answer.confidence is not None and answer.intent != "unknown":
            counts[*at, "calibration", place, "count"] += 1
            counts[*at, "calibration", place, "stated"] += round(answer.confidence * MILLION)
            counts[*at, "calibration", place, "right"] += mark.reading_right

    def _add_parts(self, at: Path, parts: Iterable[tuple[str, str]], mark: LabelMark | None) -> None:
        for name, value in parts:
            self.counts[*at, name, value, "messages"] += 1
            if mark:
                self.counts[*at, name, value, "verdicts", mark.verdict] += 1

    def _add_change(self, row: DecidedMessage, parts: Iterable[tuple[str, str]]) -> None:
        counts = self.counts
        if row.marks:
            counts["changes", "labelled", row.change or ""] += 1
        if row.sort is None:
            return
        counts["changes", "messages"] += 1
        counts["changes", "sorts", row.sort] += 1
        counts["changes", "pairs", row.answers[1].final, row.answers[0].final] += 1
        for name, value in parts:
            counts["changes", "slices", name, value] += 1
        first, other = (set(answer.rules) for answer in row.answers)
        for rule in first ^ other:
            counts["changes", "rules", rule, "only_first" if rule in first else "only_second"] += 1

    def written(self) -> dict[str, Any]:
        """As it stands in the metadata of the shard's file."""
        whole = Counter(self.counts)
        whole["messages",], whole["bad",], whole["distinct",] = self.messages, self.bad, self.distinct
        return {
            "counts": [[list(path), count] for path, count in sorted(whole.items()) if count],
            "bad": self.bad_lines,
        }


def bin_of(confidence: float | None) -> str:
    return "none" if confidence is None else f"{min(BINS - 1, max(0, int(confidence * BINS))):02d}"


class Merged:
    """Shards added up. They are added in the order of their numbers: which of many values are named alone depends on
    it, and nothing else does."""

    def __init__(self) -> None:
        self.counts: Counter[Path] = Counter()
        self.bad_lines: list[dict[str, Any]] = []
        self._known: dict[str, set[str]] = {}

    def add(self, written: Mapping[str, Any]) -> None:
        for path, count in written["counts"]:
            self.counts[self._within(tuple(path))] += count
        self.bad_lines += written["bad"][: MOST_BAD - len(self.bad_lines)]

    def _within(self, path: Path) -> Path:
        """Nobody looks at ten thousand sources; and memory stays bounded."""
        if "slices" not in path[:3]:
            return path
        place = path.index("slices") + 1
        known = self._known.setdefault(path[place], set())
        value = path[place + 1]
        if value in known or len(known) < MOST_VALUES:
            known.add(value)
            return path
        return (*path[: place + 1], OTHERS, *path[place + 2 :])

    def figures(self) -> dict[str, Any]:
        return {**nest(self.counts), "bad_lines": self.bad_lines}


def nest(counts: Mapping[Path, int]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path, count in sorted(counts.items()):
        inner = found
        for name in path[:-1]:
            inner = inner.setdefault(name, {})
        inner[path[-1]] = count
    return found
