"""The train split of the public dialogues as examples: calendar talk read as task talk, with history and store.

The label says which tool; the arguments are words of the message, by what the next turn finds in the store or by the
engine's reading. A row for which nobody can say them is left out.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from domains.deciders import make_engine
from domains.loading import load_domain, load_policy
from engine.border.wire import read_context
from engine.decider import RuleDecider
from engine.decision import Context
from engine.text.folding import split_words
from llm.prompt import trained_messages
from llm.standing import pick_tasks
from training.adapter.example import Call, Example, in_order
from training.adapter.spans import due_words, title_words_of
from training.adapter.speaker import load_words
from training.adapter.stores import NOW
from training.adapter.written_lists import copied
from training.adapter.written_scene import Scene

_CHANGES = ("add_task", "update_task", "delete_task")


def read_dialogues(folder: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each row with the one after it."""
    with gzip.open(folder / "dialogues_train.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return list(pairwise([*rows, {}]))


def dialogue_examples(rows: Iterable[tuple[dict[str, Any], dict[str, Any]]]) -> list[Example]:
    return list(_examples(rows))


def _examples(rows: Iterable[tuple[dict[str, Any], dict[str, Any]]]) -> Iterator[Example]:
    engine, domain = make_engine(), load_domain()
    for row, following in rows:
        after = following if following.get("dialogue") == row["dialogue"] else None
        context = read_context(row, NOW, domain)
        calls = _calls(row, after, context, engine)
        if calls is not None:
            text = "" if calls else load_words("en")["replies"]["chat"]
            messages = tuple(trained_messages(row["text"], context))
            yield Example(f"dialogue_{row['label']}", "en", messages, calls, text)


def _calls(
    row: dict[str, Any], after: dict[str, Any] | None, context: Context, engine: RuleDecider
) -> tuple[Call, ...] | None:
    label, text = row["label"], row["text"]
    if label == "unknown":
        return ()
    if label in ("yes", "no", "choose", "revise") or "unknown" in row["accept"]:
        return None
    scene = _scene(row, context)
    if label == "delete_task":
        return _deleted(row, scene)
    decision = engine.decide(text, context)
    if decision.intent == label and decision.action == "execute" and len(decision.calls) == 1:
        call = decision.calls[0]
        given = copied(scene, call.parameters, as_list=call.tool_name == "list_tasks")
        target = given.get("task_identifier") if given else None
        known = row.get("target")
        if given is not None and (not target or not known or target == scene.number(known)):
            return (in_order(call.tool_name, given),)
    return _added(row, after, scene) if label == "add_task" and after else None


def _scene(row: dict[str, Any], context: Context) -> Scene:
    tasks = tuple(task for each in row["tasks"] if (task := context.tasks.find_by_id(each["id"])))
    seen = frozenset(task.id for task in pick_tasks(row["text"], context, load_domain().catalogue))
    return Scene(row["text"], "", context, None, load_policy("en"), tasks, seen)


def _deleted(row: dict[str, Any], scene: Scene) -> tuple[Call, ...] | None:
    target = row.get("target")
    if not target or target not in scene.in_view:
        return None
    return (("delete_task", {"task_identifier": scene.number(target)}),)


def _added(row: dict[str, Any], after: dict[str, Any], scene: Scene) -> tuple[Call, ...] | None:
    """What stands in the store at the next turn and did not before."""
    before = {each["id"] for each in row["tasks"]}
    new = [each for each in after["tasks"] if each["id"] not in before]
    if len(new) != 1:
        return None
    title = title_words_of((new[0]["title"],), row["text"], frozenset(split_words(row["text"])))
    if title is None:
        return None
    arguments = {"title": title}
    if new[0].get("due_date"):
        words = due_words(new[0]["due_date"], row["text"], scene.context, scene.policy, None)
        if words is None:
            return None
        arguments["due_date"] = words
    return (in_order("add_task", arguments),)
