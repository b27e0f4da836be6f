"""A number within a title is no task number; what is named in full wins; where words and number disagree, we ask."""

from __future__ import annotations

from datetime import datetime

import pytest

from domains.deciders import make_engine
from engine.decision import Context, Decision, Language, Message
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call

TITLES = ("Buy milk", "Call Anna", "Water the office plants", *(f"Sprint task {number}" for number in range(1, 6)))
ITALIAN = (
    "Comprare il latte",
    "Chiamare Anna",
    "Innaffiare le piante",
    *(f"Attività di prova {n}" for n in range(1, 4)),
)
NOW = datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001 - a wall clock, as the Context has it


def decide(text: str, titles: tuple[str, ...] = TITLES, language: Language = "en") -> Decision:
    tasks = MemoryIndex(tuple(Task(f"t{number}", number, title) for number, title in enumerate(titles, 1)))
    return make_engine().decide(text, Context(tasks=tasks, now=NOW, language=language))


def meant(decision: Decision) -> list[object]:
    return [call.parameters["task_identifier"] for call in decision.calls]


@pytest.mark.parametrize(
    ("text", "task_id"),
    [
        ("mark sprint task 3 as done", "t6"),
        ("sprint task 1 is finished", "t4"),
        ("delete sprint task 2", "t5"),
        ("set sprint task 5 to high priority", "t8"),
        ("move sprint task 4 to friday", "t7"),
        ("push back sprint task 2 to monday", "t5"),
        ("rename sprint task 5 to retrospective", "t8"),
    ],
)
def test_a_number_within_a_title_is_no_task_number(text: str, task_id: str) -> None:
    assert meant(decide(text)) == [task_id]


def test_an_italian_title_with_a_number_is_no_task_number() -> None:
    assert meant(decide("completa attività di prova 3", ITALIAN, "it")) == ["t6"]


def test_two_titles_with_numbers_are_two_tasks() -> None:
    assert meant(decide("complete sprint task 3 and call anna")) == ["t6", "t2"]


@pytest.mark.parametrize("text", ["mark task 3 as done", "complete #3", "complete task #3 please", "finish task three"])
def test_a_number_alone_is_one(text: str) -> None:
    assert meant(decide(text)) == ["t3"]


def test_words_that_agree_with_the_number_do_no_harm() -> None:
    assert meant(decide("complete task 3 water the plants")) == ["t3"]


@pytest.mark.parametrize("text", ["complete #5 call anna", "complete task 3 call anna"])
def test_where_number_and_words_disagree_it_is_asked(text: str) -> None:
    decision = decide(text)
    assert (decision.action, decision.reason, decision.calls) == ("clarify", "ambiguous_target", ())
    assert decision.pending is not None
    assert decision.pending.options == ({"#5": "t5", "task": "t3"}[text.split()[1]], "t2")


def test_a_number_after_a_name_that_nobody_has_is_only_suggested() -> None:
    decision = decide("finish zebra task 3")
    assert (decision.action, decision.calls) == ("clarify", ())
    assert "'Water the office plants'" in decision.message


@pytest.mark.parametrize("text", ["set invoice task 3 to high priority", "mark zebra task 3 as done"])
def test_nor_is_it_taken_amid_a_conversation(text: str) -> None:
    tasks = MemoryIndex(tuple(Task(f"t{number}", number, title) for number, title in enumerate(TITLES, 1)))
    done = make_call("complete_task", {"task_identifier": "t3"}, "engine")
    history = (Message("user", "water the plants is done"), Message("assistant", "Done.", ("t3",), (done,)))
    decision = make_engine().decide(text, Context(tasks=tasks, now=NOW, language="en", history=history))
    assert decision.action != "execute", decision.calls


def test_a_title_with_another_number_is_not_meant() -> None:
    assert not decide("mark imported task 3 as done", ("Buy milk", "Call Anna", "Imported task 56")).calls


def test_a_task_that_is_called_like_anothers_number_is_asked_about() -> None:
    titles = ("Buy milk", "Call Anna", "Task 1")
    decision = decide("complete task 1", titles)
    assert (decision.action, decision.reason, decision.calls) == ("clarify", "ambiguous_target", ())
    assert meant(decide("complete #1", titles)) == ["t1"]
