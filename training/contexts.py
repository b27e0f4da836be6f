"""Contexts to learn in: the public dialogues with their stores and histories, and stores for single messages."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.border.wire import read_context
from engine.decision import Context
from engine.targets.memory_index import MemoryIndex
from engine.values import Task

NOW = datetime(2026, 3, 2, 9)  # noqa: DTZ001 - a wall clock, as the Context has it
NOTHING = Context(MemoryIndex(()), NOW)
TOOLS = ("add_task", "update_task", "delete_task", "list_tasks")
SOFT, LENIENT = 0.3, 0.5
STORE_SIZE = 40


@dataclass(frozen=True)
class Turn:
    """One message of a dialogue, what it asks for and how much that counts."""

    text: str
    intent: str
    weight: float
    dialogue: str
    context: Context


def load_dialogues(folder: Path, split: str = "train") -> Iterator[Turn]:
    path = folder / f"dialogues_{split}.jsonl.gz"
    if not path.exists():
        return
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for entry in map(json.loads, lines):
            intent, weight = label_turn(entry)
            if weight:
                yield Turn(entry["text"], intent, weight, entry["dialogue"], read_context(entry, NOW))


def label_turn(entry: dict[str, Any]) -> tuple[str, float]:
    """A correction is learned as the change that it is: of what was added, a change of that task."""
    label, accept = entry["label"], entry["accept"]
    if label == "revise":
        label = next((each for each in ("update_task", "add_task", "list_tasks", "delete_task") if each in accept), "")
        return label, (SOFT if "unknown" in accept else 1.0) if label else 0.0
    if label not in (*TOOLS, "unknown"):
        return "", 0.0  # answers to a question that nobody can rebuild
    if label != "unknown" and "unknown" in accept:
        return label, SOFT
    return label, 1.0 if len(accept) == 1 else LENIENT


class Stores:
    """Stores for messages that came without one, so that what a full list says is learned as well."""

    def __init__(self, titles: Sequence[str], seed: int = 5) -> None:
        self._titles = list(dict.fromkeys(titles))
        self._chooser = random.Random(seed)  # noqa: S311 - nothing secret

    def make(self, also: str = "", size: int = STORE_SIZE) -> Context:
        titles = self._chooser.sample(self._titles, min(size, len(self._titles)))
        if also:
            titles[self._chooser.randrange(len(titles))] = also
        done = self._chooser.random
        tasks = [
            Task(str(place), place, title, status="completed" if done() < 0.15 else "pending")
            for place, title in enumerate(titles, 1)
        ]
        return Context(MemoryIndex(tasks), NOW)

    def chance(self) -> float:
        return self._chooser.random()
