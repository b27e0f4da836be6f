"""What moves are learned from: the things noticed in a message, the move that was right, what it counts, its source."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.border.wire import read_context
from engine.decider import RuleDecider
from engine.decision import Context
from engine.policy.talk_weights import NO, NOTHING, YES
from engine.reading.weighing import weigh_request
from engine.talking.moves.noticing import begin, notice
from engine.targets.memory_index import MemoryIndex
from engine.text.normalise import normalise
from evals.cases import load_cases
from evals.conversations.reading import load_conversations
from evals.situation import begin as begin_case
from training.written import each_turn

_OF_LABEL = {
    "add_task": "add",
    "list_tasks": "read",
    "update_task": "change",
    "complete_task": "finish",
    "delete_task": "remove",
    "unknown": NOTHING,
}
_NOW = datetime(2026, 3, 2, 9)  # noqa: DTZ001 - as people say it
Row = tuple[dict[str, float], str, float, str]
_WRITTEN = 4.0
"""What a turn of a written conversation counts beside a public message."""
_BEGINS = 2.0
"""How much more a first message counts: small talk has no others."""
_CASE, _LONGEST = 6.0, 400
_SMALL_TALK = 1.0
_SURELY_NOTHING = 0.98
"""Strength (`things.py`) of what the words alone give to asking for nothing."""


def things_of(text: str, context: Context, decider: RuleDecider) -> dict[str, float] | None:
    policy = decider.policy_of(text, context)
    utterance = normalise(text, policy.spellings, policy.elisions)
    if not utterance.tokens:
        return None
    weighed = weigh_request(utterance, context, policy)
    noticed = notice(utterance, weighed, begin(utterance, weighed, context, policy))
    return {thing.name: thing.value for thing in noticed.things}


def move_of(expect: Any, kind: str, text: str, *, asked: bool = False) -> str | None:
    """The one move that a turn expects; None where it is several, or a question back."""
    if asked and expect.delete:
        return None if expect.add or expect.set or expect.ask_delete else YES
    if asked and kind == "answer" and expect.nothing:
        return NO
    if kind == "answer" and not asked:
        return None
    if kind == "undo":
        return "redo" if "redo" in text.lower() or "rif" in text.lower() or "again" in text.lower() else "undo"
    wanted = set()
    if expect.add:
        wanted.add("add")
    for each in expect.set or ():
        wanted.add("finish" if getattr(each, "status", None) == "completed" else "change")
    if expect.delete or expect.ask_delete:
        wanted.add("remove")
    if expect.show is not None or expect.tell:
        wanted.add("read")
    if expect.nothing:
        wanted.add(NOTHING)
    return wanted.pop() if len(wanted) == 1 else None


def from_conversations(paths: list[Path], decider: RuleDecider) -> list[Row]:
    rows: list[Row] = []
    for path in paths:
        for conversation in load_conversations([path]):
            for standing in each_turn(conversation, decider.domain):
                asked = standing.context.pending is not None
                move = move_of(standing.turn.expect, standing.turn.kind, standing.turn.say, asked=asked)
                things = things_of(standing.turn.say, standing.context, decider) if move else None
                if move and things:
                    weight = _WRITTEN * (_BEGINS if standing.place == 1 else 1.0)
                    rows.append((things, move, weight, f"{path.stem} {conversation.lang}"))
    return rows


def from_cases(decider: RuleDecider) -> list[Row]:
    """The first messages of our own cases."""
    rows: list[Row] = []
    for case in load_cases():
        move = _OF_LABEL.get(case.turns[0].intent[0])
        if move and case.domain == decider.domain.name and len(case.turns[0].text) <= _LONGEST:
            things = things_of(case.turns[0].text, begin_case(case).context, decider)
            if things:
                rows.append((things, move, _CASE, f"cases {case.language or ''}"))
    return rows


def from_dialogues(folder: Path, decider: RuleDecider, most: int) -> list[Row]:
    rows: list[Row] = []
    with gzip.open(folder / "dialogues_train.jsonl.gz", "rt", encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    random.Random(3).shuffle(entries)  # noqa: S311 - nothing secret
    for entry in entries[:most]:
        label = _OF_LABEL.get(entry["label"])
        weight = 0.5 if "unknown" in entry["accept"] and label != NOTHING else 1.0
        if entry["label"] == "revise":
            label = (
                "read"
                if "list_tasks" in entry["accept"]
                else "remove"
                if "delete_task" in entry["accept"]
                else "change"
            )
        if label is None:
            continue
        things = things_of(entry["text"], read_context(entry, _NOW, decider.domain), decider)
        if things:
            rows.append((things, label, weight, "dialogues"))
    return rows


def from_small_talk(folder: Path, decider: RuleDecider, tasks: list[list[dict[str, Any]]], most: int) -> list[Row]:
    """First messages that ask for nothing, with somebody's tasks in reach."""
    rows: list[Row] = []
    chooser = random.Random(5)  # noqa: S311 - nothing secret
    entries = _small_talk(folder, chooser)
    italian = [each for each in entries if each["lang"] == "it"][: most // 4]
    for entry in [*italian, *[each for each in entries if each["lang"] != "it"][: most - len(italian)]]:
        data = {**entry, "tasks": chooser.choice(tasks), "now": "2026-03-02T09:00"}
        things = things_of(entry["text"], read_context(data, _NOW, decider.domain), decider)
        if things:
            rows.append((things, NOTHING, _SMALL_TALK, f"small talk {entry['lang']}"))
    return rows


def from_asides(folder: Path, decider: RuleDecider, paths: list[Path], most: int) -> list[Row]:
    """The same in the middle of a written conversation. What its words alone take for a request is left out: there
    "delete the second one" would be one."""
    rows: list[Row] = []
    chooser = random.Random(7)  # noqa: S311 - nothing secret
    entries = iter(_small_talk(folder, chooser))
    turns = [
        standing.context
        for path in paths
        for conversation in load_conversations([path])
        for standing in each_turn(conversation, decider.domain)
        if standing.context.history
    ]
    chooser.shuffle(turns)
    for context in turns[:most]:
        entry = next((each for each in entries if each["lang"] == context.language), None)
        if entry is None or len(entry["text"]) > _LONGEST:
            continue
        things = things_of(entry["text"], context, decider)
        if things and things.get(f"words:{NOTHING}", 0.0) >= _SURELY_NOTHING:
            rows.append((things, NOTHING, 1.0, f"asides {entry['lang']}"))
    return rows


def from_elsewhere(paths: list[Path], decider: RuleDecider) -> list[Row]:
    """What begins one conversation, said in the middle of others: it asks for the same there, whatever was done or
    asked before it. Without these a message is judged by what mostly follows an addition, a list, a question."""
    chooser = random.Random(11)  # noqa: S311 - nothing secret
    turns = [
        standing
        for path in paths
        for conversation in load_conversations([path])
        for standing in each_turn(conversation, decider.domain)
    ]
    elsewhere: dict[str, list[Context]] = {}
    for standing in turns:
        if standing.context.history:
            elsewhere.setdefault(standing.conversation.lang, []).append(standing.context)
    rows: list[Row] = []
    for standing in turns:
        move = move_of(standing.turn.expect, standing.turn.kind, standing.turn.say) if standing.place == 1 else None
        for context in chooser.sample(elsewhere[standing.conversation.lang], _SAID_ELSEWHERE) if move else ():
            things = things_of(standing.turn.say, _with_tasks_of(standing.context, context), decider)
            if move and things:
                rows.append((things, move, _ELSEWHERE, f"elsewhere {standing.conversation.lang}"))
    return rows


_SAID_ELSEWHERE, _ELSEWHERE = 3, 2.0


def _with_tasks_of(other: Context, context: Context) -> Context:
    """A conversation, with the tasks of another one in reach as well."""
    own, theirs = (each.tasks.recent(len(each.tasks)) for each in (context, other))
    beyond = max((task.number for task in own), default=0)
    renumbered = [replace(task, id=f"other {task.id}", number=task.number + beyond) for task in theirs]
    return replace(context, tasks=MemoryIndex([*reversed(renumbered), *reversed(own)]))


def _small_talk(folder: Path, chooser: random.Random) -> list[dict[str, Any]]:
    with gzip.open(folder / "negatives_train.jsonl.gz", "rt", encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    chooser.shuffle(entries)
    return entries
