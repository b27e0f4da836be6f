""" "don't delete X, finish Y instead": what is denied is left alone, and what is asked for is done."""

from __future__ import annotations

from datetime import datetime

import pytest

from engine.decision import Context, Decision, Language, Message
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from tests.engine.reading import make_reader

TITLES = ("Renew passport", "Call Anna", "Call Bob", "Water the office plants")
ITALIAN = ("Rinnovare il passaporto", "Chiamare Anna", "Chiamare Bob")
SPOKEN_OF = (Message("user", "finish water the plants", ("t4",)), Message("assistant", "It is done.", ("t4",)))


def decide(
    text: str, titles: tuple[str, ...] = TITLES, language: Language = "en", history: tuple[Message, ...] = ()
) -> Decision:
    tasks = MemoryIndex(tuple(Task(f"t{number}", number, title) for number, title in enumerate(titles, 1)))
    now = datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001 - a wall clock, as the Context has it
    return make_reader().decide(text, Context(tasks=tasks, now=now, language=language, history=history))


@pytest.mark.parametrize("history", [(), SPOKEN_OF])
@pytest.mark.parametrize(
    ("text", "action", "intent", "task_id"),
    [
        ("don't delete renew passport, finish call anna instead", "execute", "complete_task", "t2"),
        ("don't complete call bob, delete water the office plants instead", "confirm", "delete_task", "t4"),
        ("do not delete call bob, but set it to high priority", "execute", "update_task", "t3"),
        ("don't delete call bob; mark renew passport as done", "execute", "complete_task", "t1"),
        ("complete call bob, don't delete it", "execute", "complete_task", "t3"),
    ],
)
def test_what_is_asked_for_instead_is_done(
    text: str, action: str, intent: str, task_id: str, history: tuple[Message, ...]
) -> None:
    decision = decide(text, history=history)
    assert (decision.action, decision.intent) == (action, intent)
    assert [call.parameters["task_identifier"] for call in decision.calls] == [task_id]
    assert not decision.undoes


@pytest.mark.parametrize(
    "text",
    [
        "non eliminare chiamare bob, completa chiamare anna invece",
        "non eliminare chiamare bob ma completa chiamare anna",
    ],
)
def test_what_is_asked_for_instead_is_done_in_italian(text: str) -> None:
    decision = decide(text, ITALIAN, "it")
    assert [call.parameters["task_identifier"] for call in decision.calls] == ["t2"]


@pytest.mark.parametrize(
    "text",
    [
        "don't delete call bob",
        "don't delete anything, please",
        "don't delete call bob, renew passport",
        "don't delete call bob, complete renew passport or add milk",
        "don't add milk, eggs and bread",
        "don't delete call bob if it is done, complete it",
        "never delete call anna, ok?",
    ],
)
def test_a_denial_that_goes_on_denies_all_of_it(text: str) -> None:
    decision = decide(text)
    assert (decision.action, decision.reason, decision.calls) == ("reply", "negated", ())
