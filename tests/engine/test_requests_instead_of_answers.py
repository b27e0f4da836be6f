"""While a question waits, a message that asks for something else is heard as that, and never as the answer."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from domains.deciders import make_engine
from engine.decision import Context, Decision, Language
from engine.targets.memory_index import MemoryIndex
from engine.values import Task

TITLES = ("Renew passport", "Call Anna", "Call Bob", "Water the office plants")
ITALIAN = ("Rinnovare il passaporto", "Chiamare Anna", "Chiamare Bob")


def after(asked: str, said: str, titles: tuple[str, ...] = TITLES, language: Language = "en") -> Decision:
    """What is decided about `said` while the question that `asked` led to waits."""
    tasks = MemoryIndex(tuple(Task(f"t{number}", number, title) for number, title in enumerate(titles, 1)))
    now = datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001 - a wall clock, as the Context has it
    context = Context(tasks=tasks, now=now, language=language)
    pending = make_engine().decide(asked, context).pending
    assert pending is not None
    return make_engine().decide(said, replace(context, pending=pending))


@pytest.mark.parametrize("asked", ["delete call", "delete a task", "delete call anna"])
@pytest.mark.parametrize(
    ("said", "intent", "task_id"),
    [
        ("set renew passport to low priority", "update_task", "t1"),
        ("renew passport is done", "complete_task", "t1"),
        ("mark call bob as done", "complete_task", "t3"),
        ("set #4 to high priority", "update_task", "t4"),
        ("move call anna to friday", "update_task", "t2"),
    ],
)
def test_a_new_request_is_no_answer_to_which_one(asked: str, said: str, intent: str, task_id: str) -> None:
    decision = after(asked, said)
    assert (decision.action, decision.intent) == ("execute", intent)
    assert [call.parameters["task_identifier"] for call in decision.calls] == [task_id]


def test_a_new_request_is_no_answer_in_italian_either() -> None:
    decision = after("elimina chiamare", "imposta rinnovare il passaporto a priorità bassa", ITALIAN, "it")
    assert (decision.action, decision.intent) == ("execute", "update_task")


@pytest.mark.parametrize(
    ("said", "task_id"),
    [("call bob", "t3"), ("the second one", "t2"), ("bob", "t3"), ("#2", "t2"), ("the anna one please", "t2")],
)
def test_a_name_is_still_the_answer(said: str, task_id: str) -> None:
    decision = after("delete call", said)
    assert (decision.action, decision.intent) == ("confirm", "delete_task")
    assert [call.parameters["task_identifier"] for call in decision.calls] == [task_id]
