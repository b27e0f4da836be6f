"""Somebody's tasks around a message: those that it names, and others that it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from engine.decision import Context, Message, Pending
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call
from llm.prompt import trained_messages
from training.adapter.example import Example
from training.adapter.speaker import Speaker

NOW = datetime(2026, 3, 2, 9)  # noqa: DTZ001 - a wall clock, as the Context has it
_LISTED = "list_tasks"


def make_store(speaker: Speaker, titles: Sequence[str], most: int = 7) -> list[Task]:
    """These among others, in any order, with the numbers of a store that has seen some use."""
    others = [speaker.thing().title for _ in range(speaker.chooser.randint(0, max(0, most - len(titles))))]
    known = {title.casefold() for title in titles}
    every = [*titles, *(title for title in dict.fromkeys(others) if title.casefold() not in known)]
    speaker.chooser.shuffle(every)
    first = speaker.chooser.choice((1, 1, speaker.chooser.randint(2, 60)))
    return [_task(speaker, title, first + place) for place, title in enumerate(every)]


def _task(speaker: Speaker, title: str, number: int) -> Task:
    draw = speaker.chooser
    day = (NOW + timedelta(days=draw.randint(-3, 20))).date().isoformat()
    time = f"T{draw.randint(7, 20):02}:{draw.choice(('00', '30'))}" if draw.random() < 0.3 else ""
    status = "completed" if draw.random() < 0.12 else "pending"
    return Task(f"t{number}", number, title, status=status, due_date=f"{day}{time}" if draw.random() < 0.5 else None)


def find(tasks: Sequence[Task], title: str) -> Task:
    return next(task for task in tasks if task.title == title)


def in_context(tasks: Sequence[Task], language: str, *said: Message, pending: Pending | None = None) -> Context:
    return Context(MemoryIndex(tasks), NOW, tuple(said), pending, language=language)


def did(tool: str, tasks: Sequence[Task], content: str = "OK.") -> Message:
    """What the assistant did, as a conversation keeps it."""
    named = tuple(task.id for task in tasks)
    given: dict[str, Any] = {} if tool == _LISTED else {"task_identifier": named[0]} if named else {}
    return Message("assistant", content, named, (make_call(tool, given, "conversation"),))


def amid(example: Example, speaker: Speaker) -> Example:
    """A single message with somebody's tasks in reach. What it names by words that a task has, it names by number."""
    calls, titles = [], []
    for name, arguments in example.calls:
        named = arguments.get("task_identifier")
        if isinstance(named, str) and named and not _is_number(named) and speaker.chance(0.75):
            title = _title_with(speaker, named)
            titles.append(title)
            arguments = {**arguments, "task_identifier": title}
        calls.append((name, arguments))
    tasks = make_store(speaker, list(dict.fromkeys(titles)))
    by_title = {task.title: f"#{task.number}" for task in tasks}
    numbered = tuple(
        (name, {**given, "task_identifier": by_title[given["task_identifier"]]})
        if given.get("task_identifier") in titles
        else (name, given)
        for name, given in calls
    )
    context = in_context(tasks, example.language)
    return replace(example, messages=tuple(trained_messages(example.said, context)), calls=numbered)


def _is_number(named: str) -> bool:
    return any(sign.isdigit() for sign in named)


def _title_with(speaker: Speaker, named: str) -> str:
    """A title that the words name: these words, or these with a verb before them."""
    if speaker.chance(0.5):
        return named
    verb = speaker.chooser.choice(sorted(speaker.words["things"]))
    title = f"{verb} {named}"
    return title[0].upper() + title[1:] if speaker.chance(0.6) else title
