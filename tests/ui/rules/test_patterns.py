"""Patterns, edits and what the engine says about its rules have no code in them: the hint has that."""

from __future__ import annotations

import re
from datetime import datetime

import pytest

from domains.loading import load_domain, load_policy
from engine.decider import RuleDecider
from engine.decision import Context
from engine.editing.edits import (
    AddGuard,
    AddPattern,
    AddPhrase,
    AddSpelling,
    AddWay,
    RemovePattern,
    RemovePhrase,
    SetThreshold,
    SetWeight,
    SeveralEdits,
)
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from engine.why import find_why
from ui.policy.edit_words import describe_edit
from ui.policy.why import tell_miss
from ui.rules.patterns import tell_pattern
from ui.rules.told import tell_plainly

TASKS = MemoryIndex([Task("a", 1, "Renew passport")])
CONTEXT = Context(tasks=TASKS, now=datetime(2026, 3, 4, 10), language="en")  # noqa: DTZ001
_CODES = re.compile(r"[<>{}|^$\[\]]|\b[a-z]+_[a-z]+\b|\b[a-z]+\.[a-z]+\b|\b\w+:\S")


def codes_in(told: str) -> list[str]:
    """What the words themselves hold may look like anything, but for a rule."""
    return _CODES.findall(re.sub(r"“(?!\w+:)[^”]*”", "", told))


@pytest.mark.parametrize("language", ["en", "it"])
def test_every_pattern_is_told_in_words(language: str) -> None:
    policy = load_policy(language)
    parts = (*policy.frames, *policy.guards, *policy.ways)
    patterns = {pattern for part in parts for pattern in part.patterns}
    assert len(patterns) > 100
    assert [each for each in patterns if codes_in(tell_pattern(each, policy))] == []


def test_a_pattern_reads_as_what_has_to_be_said() -> None:
    policy = load_policy("en")
    assert tell_pattern("^ i keep forgetting {title}", policy) == "first, “i keep forgetting”, the title"
    assert tell_pattern("mark {task} as (done | complete)", policy) == "“mark”, the task, “as”, “done” or “complete”"
    assert tell_pattern("(unbalanced", policy) == "(unbalanced"


def test_an_edit_is_told_in_words() -> None:
    policy = load_policy("en")
    edits = (
        AddPhrase("remind_me", "holler at me"),
        RemovePhrase("remind_me", policy.words["remind_me"][0]),
        AddPattern("add_task", "add.book", "^ i keep forgetting {title}"),
        RemovePattern("complete_task", "complete.mark", "mark {task} as <done>"),
        AddWay("state.done", "^ {target} is in the bag {tail?}"),
        SeveralEdits((AddSpelling("tsk", "task"), AddPhrase("remind_me", "holler at me"))),
        AddGuard("negated", "no need to"),
        SetThreshold("act", 0.75),
        SetWeight("frame:complete.mark", "complete_task", 2.0),
    )
    told = [describe_edit(edit, policy) for edit in edits]
    assert [each for each in told if codes_in(each)] == []
    assert told[0] == "“holler at me” counts as a word like “remind me”"
    assert told[2] == "A way of asking for “Add a task”: first, “i keep forgetting”, the title"


@pytest.mark.parametrize("text", ["holler at me to eat", "I keep forgetting the milk", "never mind the passport task"])
@pytest.mark.parametrize("wanted", ["add_task", "complete_task"])
def test_why_a_message_is_not_read_so_is_told_in_words(text: str, wanted: str) -> None:
    policy = load_policy("en")
    why = find_why(text, CONTEXT, RuleDecider(load_domain("tasks"), policy), wanted, {})
    told = [tell_plainly(each.told, policy) for each in (*why.obstacles, *why.gaps)]
    told += [tell_miss(miss, policy) for miss in why.misses]
    assert told
    assert not any("unknown" in each for each in told)
    assert [each for each in told if codes_in(each)] == []


def test_what_may_come_twice_is_said_once() -> None:
    told = tell_pattern("<make> [<det>] [<det>] reminder {title}", load_policy("en"))
    assert told == "a word like “add”, perhaps an article (up to 2 times), “reminder”, the title"
