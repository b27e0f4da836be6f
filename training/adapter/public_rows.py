"""The train split of the public utterances as examples. The arguments are words of the message.

Where a source marks a title or a date, that is taken; otherwise the engine's own reading, if its intent is the
label's. Rows whose arguments nobody knows are left out.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from domains.deciders import make_engine
from domains.loading import load_policy
from domains.tasks.mapping import INTENT_TO_TOOL
from engine.dates import parse_date
from engine.decision import Context, Decision, Language
from engine.targets.memory_index import MemoryIndex
from evals.public_data import NOW
from training.adapter.example import Example, in_order, user
from training.adapter.requests import LEFT_OPEN
from training.adapter.speaker import load_words, plain_date

_DANGER = re.compile(r"overdose|suicid|kill myself|hurt myself|end my life|want to die|farò del male|uccider", re.I)
_CLOCK = re.compile(r"\b(alarms?|timers?|snooze|wake|sveglia|timer)\b", re.I)
_LEAD = re.compile(r"^(for|about|to|of|that i have|regarding)\s+", re.I)
_MOST_DATE = 32
_MOST_WORDS = 40


def read_tier(folder: Path, tier: str) -> list[dict[str, Any]]:
    with gzip.open(folder / f"{tier}_train.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def titles_of(folder: Path, language: str) -> list[str]:
    """Things to do that people named, for our own sentences."""
    found = {
        row["params"]["title"]
        for row in read_tier(folder, "tasks")
        if row["lang"] == language and row["intent"] == "add_task" and (row.get("params") or {}).get("title")
    }
    return sorted(title for title in found if 1 < len(title.split()) < 9 and not set(title) & set("'\"|{}"))


def task_rows(folder: Path) -> Iterator[Example]:
    for row in read_tier(folder, "tasks"):
        flags = set(row.get("flags") or ())
        if "label_noise?" in flags:
            continue
        example = _asked_back(row, flags) if flags & {"bulk", "no_title"} else _called(row)
        if example:
            yield example


def clock_rows(folder: Path, count: int, seed: int) -> Iterator[Example]:
    """Alarms and timers are no tasks. Calendars may be either, so nothing is learned from them."""
    rows = [row for row in read_tier(folder, "borderline") if _CLOCK.search(row["text"])]
    random.Random(seed).shuffle(rows)  # noqa: S311 - nothing secret
    for row in rows[:count]:
        yield _answered(row, "other")


def negative_rows(folder: Path, count: int, seed: int) -> Iterator[Example]:
    """The same share of every source and language, as far as it goes."""
    groups: defaultdict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in read_tier(folder, "negatives"):
        if len(row["text"].split()) <= _MOST_WORDS:
            groups[row["source"], row["lang"]].append(row)
    for key in sorted(groups):
        random.Random(seed).shuffle(groups[key])  # noqa: S311 - nothing secret
    queues, taken = [groups[key] for key in sorted(groups)], 0
    while taken < count and any(queues):
        for queue in queues:
            if queue and taken < count:
                row = queue.pop()
                yield _answered(row, "danger" if _DANGER.search(row["text"]) else "other")
                taken += 1


def _answered(row: dict[str, Any], reply: str) -> Example:
    text = load_words(row["lang"])["replies"][reply]
    return Example(f"public_{reply}", row["lang"], (user(row["text"]),), text=text)


def _asked_back(row: dict[str, Any], flags: set[str]) -> Example | None:
    kinds = {"add_task": "ask_title", "delete_task": "bulk_delete" if "bulk" in flags else "ask_delete"}
    if row["intent"] not in kinds or ("bulk" in flags and row["intent"] != "delete_task"):
        return None
    kind = kinds[row["intent"]]
    if kind in LEFT_OPEN:
        tool, empty = LEFT_OPEN[kind]
        return Example("public_ask", row["lang"], (user(row["text"]),), ((tool, {empty: ""}),))
    return Example("public_ask", row["lang"], (user(row["text"]),), text=load_words(row["lang"])["replies"][kind])


def _called(row: dict[str, Any]) -> Example | None:
    tool = INTENT_TO_TOOL[row["intent"]]
    if tool is None:
        return None
    language: Language = row["lang"]
    decision = make_engine().decide(row["text"], Context(MemoryIndex(()), NOW, language=language))
    agreed = decision.intent == row["intent"] and decision.action != "reply"
    params = row.get("params") or {}
    if tool == "add_task":
        arguments = _for_add(row, params, decision, agreed)
    elif tool in ("complete_task", "delete_task"):
        arguments = _for_target(row, params, decision, agreed)
    elif tool == "list_tasks":
        arguments = _words_of(decision, row["text"]) if agreed else None
    else:
        arguments = {}
    if arguments is None:
        return None
    return Example(f"public_{row['intent']}", language, (user(row["text"]),), (in_order(tool, arguments),))


def _for_add(row: dict[str, Any], params: dict[str, Any], decision: Decision, agreed: bool) -> dict[str, Any] | None:
    read = _words_of(decision, row["text"]) if agreed else {}
    title = params.get("title") or params.get("item") or read.get("title")
    if not title or "|" in title or title not in row["text"]:
        return None
    arguments = {"title": title}
    if read.get("priority"):
        arguments["priority"] = read["priority"]
    date = params.get("date_text") if "title" in params else read.get("due_date")
    if date and (words := _readable(date, row)):
        arguments["due_date"] = words
    return arguments


def _readable(date: str, row: dict[str, Any]) -> str | None:
    words = plain_date(date, row["lang"]).strip()
    fits = len(words) <= _MOST_DATE and words in row["text"]
    return words if fits and parse_date(words, NOW, load_policy(row["lang"]).date_words) else None


def _for_target(row: dict[str, Any], params: dict[str, Any], decision: Decision, agreed: bool) -> dict[str, Any] | None:
    named = params.get("title") or params.get("item") or params.get("reference")
    if not named and agreed and decision.references:
        named = decision.references[0].mention
    if not named or named not in row["text"]:
        return None
    return {"task_identifier": _LEAD.sub("", named)}


def _words_of(decision: Decision, text: str) -> dict[str, Any]:
    """The engine's arguments; those that are words of the message as they were said."""
    if not decision.calls:
        return {}
    found: dict[str, Any] = {}
    for argument in decision.calls[0].arguments:
        span = argument.provenance.span
        free = argument.name in ("title", "description", "due_date", "search")
        if argument.provenance.source == "default" or (free and span is None):
            continue
        iso_day = argument.name == "due" and argument.value not in ("today", "tomorrow", "this_week")
        if span and (argument.name == "due_date" or iso_day):
            found[argument.name] = plain_date(text[span.start : span.end], "en")
        else:
            found[argument.name] = argument.value
    return found
