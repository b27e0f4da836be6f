"""Labelled messages as a case file that `python -m evals --cases FILE` runs: each case brings its own tasks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

import yaml

from domains.loading import TASKS, load_domain
from engine.border.wire import read_context, read_task
from engine.decision import Message
from engine.text.folding import fold
from engine.text.language import detect_language

_SLUG_WORDS = 6
_MOST_THINGS = 10_000
_TASK_DEFAULTS: Mapping[str, Any] = {"description": "", "priority": "medium", "due_date": None}
_HEAD = "# Saved on Inspect and History. Run it with: python -m evals {domain}--cases THIS_FILE\n"
_SAID = ("tasks", "lookups", "history", "pending", "now", "user", "lang", "domain")
"""What a case has places of its own for."""


class Label(NamedTuple):
    """A message, the context in which it was said (`engine.border.wire`), and what should have come of it."""

    text: str
    context: Mapping[str, Any]
    expected: Mapping[str, Any]
    """As in a case file, but `task` is the id of a task of the context."""
    digest: str
    """Tells cases with the same words apart."""


def write_case_file(labels: Iterable[Label], domain: str = TASKS) -> str:
    """The labels are all of this domain: one decider runs them."""
    head = _HEAD.format(domain="" if domain == TASKS else f"--domain {domain} ")
    return head + _dump({"cases": [make_entry(label) for label in labels]})


def write_case(label: Label) -> str:
    """One entry for the list under `cases:`."""
    return _dump([make_entry(label)])


def make_entry(label: Label) -> dict[str, Any]:
    # Any clock does for the language; the case itself names the one it was said at.
    domain = load_domain(str(label.context.get("domain", TASKS)))
    context = read_context(label.context, datetime(2026, 3, 2, 9), domain)  # noqa: DTZ001 - a wall clock
    states = domain.catalogue.states
    keys = _keys(label.context.get("tasks") or (), states)
    if domain.conduct:
        keys = {thing.id: thing.id for thing in context.tasks.recent(_MOST_THINGS)}
    entry: dict[str, Any] = {
        "id": case_id(label.text, label.digest),
        "say": label.text,
        **_expectation(label.expected, keys),
        "language": detect_language(label.text, context, domain.small_words),
        **({"domain": domain.name} if domain.name != TASKS else {}),
        "now": context.now.isoformat(),
        "user": context.user,
    }
    if context.history:
        entry["history"] = [_said(message, keys) for message in context.history]
    if label.context.get("pending"):
        entry["pending"] = dict(label.context["pending"])
    if label.context.get("lookups"):
        entry["lookups"] = {name: list(ids) for name, ids in label.context["lookups"].items()}
    if domain.conduct:
        reach = {name: value for name, value in label.context.items() if name not in _SAID and value}
        return {**entry, "reach": reach}
    entry["tasks"] = [
        _task(task, position, keys, states) for position, task in enumerate(label.context.get("tasks") or (), start=1)
    ]
    return entry


def _said(message: Message, keys: Mapping[str, str]) -> dict[str, Any]:
    # A task that was gone by then still counts: "it" is then nothing, rather than the task named before.
    named = [keys.get(task_id, f"gone:{task_id}") for task_id in message.tasks]
    return {"role": message.role, "content": message.content, "tasks": named}


def case_id(text: str, digest: str) -> str:
    words = re.findall(r"[a-z0-9]+", fold(text))[:_SLUG_WORDS]
    return "-".join(["saved", *(word[:20] for word in words), digest[:8]])


def _expectation(expected: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, Any]:
    said = {name: value for name, value in expected.items() if value not in (None, "", [], (), {})}
    if "task" in said:
        said["task"] = _named(said["task"], keys)
    if "calls" in said:
        said["calls"] = [_expectation(call, keys) for call in said["calls"]]
    return said


def _named(task: object, keys: Mapping[str, str]) -> object:
    """The key of a task by its id; where either of two is right, both."""
    if isinstance(task, list):
        return [_named(each, keys) for each in task]
    return keys.get(str(task), f"gone:{task}")


def _keys(tasks: Iterable[Mapping[str, Any]], states: tuple[str, str]) -> dict[str, str]:
    """A short name for each task by its id: the words of its title, with its number where they are taken."""
    keys: dict[str, str] = {}
    for position, entry in enumerate(tasks, start=1):
        task = read_task(entry, position, states)
        words = "-".join(re.findall(r"[a-z0-9]+", fold(task.title))[:3]) or "task"
        key = words if words not in keys.values() else f"{words}-{task.number}"
        while key in keys.values():
            key += "-again"
        keys[task.id] = key
    return keys


def _task(entry: Mapping[str, Any], position: int, keys: Mapping[str, str], states: tuple[str, str]) -> dict[str, Any]:
    task = read_task(entry, position, states)
    known = {"key": keys[task.id], "id": task.id, "number": task.number, "title": task.title}
    stamps = {"created_at": task.created_at, "updated_at": task.updated_at}
    more = {
        name: getattr(task, name)
        for name, usual in {**_TASK_DEFAULTS, "status": states[0]}.items()
        if getattr(task, name) != usual
    }
    finished = {"completed_at": task.completed_at} if task.completed_at else {}
    return {**known, **more, **stamps, **finished}


class _Dumper(yaml.SafeDumper):
    pass


def _write_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    # Only double quotes bring every kind of line break back as it was: single ones fold them into spaces.
    style = '"' if len(text.splitlines()) > 1 or text != text.strip() else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _write_text)


def _dump(data: object) -> str:
    return yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, default_flow_style=None, width=10_000)
