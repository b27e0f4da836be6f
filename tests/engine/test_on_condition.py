"""What shall be done only if something happens is offered: nobody here can see whether it has."""

from __future__ import annotations

from datetime import datetime

import pytest

from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Context, Decision
from engine.targets.memory_index import MemoryIndex
from engine.values import Task

NOW = datetime(2026, 6, 10, 10)  # noqa: DTZ001 - a wall clock, as the Context has it
_DECIDER = RuleDecider(load_domain())
_TASKS = (
    Task("1", 1, "Wash the van", due_date="2026-06-11"),
    Task("2", 2, "Ask if the hall is free"),
    Task("3", 3, "Tagliare la siepe", due_date="2026-06-11"),
)


def decide(text: str) -> Decision:
    language = "it" if text.startswith("it: ") else "en"
    return _DECIDER.decide(text.removeprefix("it: "), Context(MemoryIndex(_TASKS), NOW, language=language))


@pytest.mark.parametrize(
    "text",
    [
        "if it snows, move wash the van to friday",
        "move wash the van to friday if the shop is shut",
        "unless Pete calls, mark wash the van as done",
        "in case they cancel, make wash the van high priority",
        "it: se grandina sposta tagliare la siepe a sabato",
        "it: sposta tagliare la siepe a sabato se fa brutto",
        "it: a meno che non venga Gino, segna tagliare la siepe come fatta",
    ],
)
def test_a_change_under_a_condition_is_not_done(text: str) -> None:
    decision = decide(text)
    assert decision.action != "execute", decision.calls


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("if you can, move wash the van to friday", "1"),
        ("move wash the van to friday if possible", "1"),
        ("if you don't mind mark wash the van as done", "1"),
        ("move ask if the hall is free to friday", "2"),
        ("it: se puoi sposta tagliare la siepe a sabato", "3"),
        ("it: sposta tagliare la siepe a sabato se per te va bene", "3"),
    ],
)
def test_politeness_is_no_condition_nor_is_an_if_in_a_name(text: str, task: str) -> None:
    decision = decide(text)
    assert decision.action == "execute"
    assert [call.parameters["task_identifier"] for call in decision.calls] == [task]


def test_the_offer_says_what_would_be_done() -> None:
    decision = decide("if it snows, move wash the van to friday")
    assert decision.pending is not None
    assert decision.pending.call.parameters == {"task_identifier": "1", "new_due_date": "2026-06-12"}
