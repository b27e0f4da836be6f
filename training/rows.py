"""What is learned from: public messages with their labels, our own, and sentences made from the frames."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.decision import Context
from engine.policy.values import Policy
from training.contexts import NOTHING, Stores, load_dialogues
from training.sample_frames import sample_frames

DIALOGUES = "smcalflow"
CALENDAR = 0.5
"""How much a calendar's row counts: either reading is right there."""
CLOCKS = ("alarm", "timer", "snooze", "wake", "sveglia")
STORED = 0.4
"""The share of single messages that are learned in front of a full store."""
OWN_STORED = 0.8
"""The same for sentences made from the frames that name something."""
NAMED = 0.8
"""The share of messages about a task that find it in that store."""
FRAMES = "frames"
AMID = 0.12
"""The share of messages that ask for nothing and are learned as said amid a conversation …"""
AMID_ASKED = 0.25
"""… and of those that ask for something by themselves: they do so whatever came before."""


@dataclass(frozen=True)
class Row:
    text: str
    intent: str
    weight: float
    source: str
    context: Context = NOTHING
    group: str = ""
    """Rows of one dialogue are held out together."""
    title: str = ""


def load_rows(folder: Path, language: str, task_weight: float = 1.0) -> list[Row]:
    rows = list(_load_messages(folder, language))
    if language == "en":
        rows += [
            Row(turn.text, turn.intent, turn.weight, DIALOGUES, turn.context, turn.dialogue)
            for turn in load_dialogues(folder)
        ]
    return [replace(row, weight=row.weight * (task_weight if row.intent != "unknown" else 1.0)) for row in rows]


def thin(rows: Sequence[Row], every: int) -> list[Row]:
    """Fewer of the many single messages that ask for nothing, each counting for more: for trying things out."""
    kept, seen = [], 0
    for row in rows:
        if row.intent == "unknown" and not row.group:
            seen += 1
            if seen % every:
                continue
            row = replace(row, weight=row.weight * every)
        kept.append(row)
    return kept


def _load_messages(folder: Path, language: str) -> Iterator[Row]:
    for tier in ("tasks", "lists", "borderline", "negatives"):
        with gzip.open(folder / f"{tier}_train.jsonl.gz", "rt", encoding="utf-8") as lines:
            for entry in map(json.loads, lines):
                intent, weight = label(tier, entry) if entry["lang"] == language else ("", 0.0)
                if weight:
                    title = (entry.get("params") or {}).get("title") or ""
                    yield Row(entry["text"], intent, weight, entry["source"], title=title)


def label(tier: str, entry: dict[str, Any]) -> tuple[str, float]:
    """What to learn from a row and how much it counts."""
    if tier in ("negatives", "tasks"):
        return entry["intent"], 1.0 if len(entry["accept"]) == 1 else 0.5
    if tier == "lists":
        return entry["intent"], 0.5
    # Alarms and timers are not tasks; an appointment is one with a due date.
    if any(word in entry["text"].lower() for word in CLOCKS) or "imer" in entry["source_label"]:
        return "unknown", 0.5
    if entry["source_label"] in NOT_TASKS:
        return "", 0.0
    return entry["intent"], CALENDAR


NOT_TASKS = frozenset({"pto_request", "schedule_maintenance", "calendar_update", "personal_info", "TimeRemaining"})
"""Labels whose rows say too little about tasks, or whose own intent is uncertain."""


def load_fillers(folder: Path, language: str) -> dict[str, list[str]]:
    """What people put into a slot: titles and dates that the sources mark, and our own words."""
    own = json.loads((Path(__file__).parent / f"fillers_{language}.json").read_text(encoding="utf-8"))
    titles = [row.title for row in _load_messages(folder, language) if row.title]
    fillers: dict[str, list[str]] = dict(own)
    fillers["title"] = own["title"] * max(1, len(titles) // (2 * len(own["title"]))) + titles
    fillers["target"] = fillers["title"] + own["target"] * (len(fillers["title"]) // (3 * len(own["target"])))
    return fillers


def load_not_tasks(language: str, each: int = 6) -> list[Row]:
    """Our own messages about other things, where the public data of a language is thin."""
    path = Path(__file__).parent / f"not_tasks_{language}.json"
    if not path.exists():
        return []
    data = json.loads(path.read_text(encoding="utf-8"))
    chooser = random.Random(11)  # noqa: S311 - nothing secret
    texts = {
        re.sub(r"\{(\w+)\}", lambda slot: chooser.choice(data["fillers"][slot[1]]), template)
        for template in data["templates"]
        for _ in range(each)
    }
    return [Row(text, "unknown", 0.7, "own") for text in sorted(texts)]


def load_own(policy: Policy, fillers: dict[str, list[str]], each: int, weight: float) -> list[Row]:
    return [
        Row(text, intent, weight, FRAMES, title=target) for text, intent, target in sample_frames(policy, fillers, each)
    ]


def put_in_context(rows: Sequence[Row], titles: Sequence[str]) -> list[Row]:
    """Some of the single messages in front of a full store or amid a conversation, the others as they are."""
    stores = Stores([*titles, *(row.title for row in rows if row.title)])
    amid = [row.context for row in rows if row.context.history]
    placed = []
    for row in rows:
        if row.group:
            placed.append(row)
            continue
        own = row.source == FRAMES and bool(row.title)
        stored = stores.chance() < (OWN_STORED if own else STORED)
        named = row.title if row.intent not in ("add_task", "unknown") and stores.chance() < NAMED else ""
        context = stores.make(named) if stored else row.context
        if amid and stores.chance() < (AMID if row.intent == "unknown" else AMID_ASKED):
            said = amid[int(stores.chance() * len(amid))]
            # What is pointed at must be there: "it" is learned with the dialogue's own tasks.
            context = replace(said, tasks=context.tasks) if stored and named else said
        placed.append(replace(row, context=context))
    return placed
