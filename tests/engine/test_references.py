"""Which task a mention means, through the decider."""

from __future__ import annotations

from datetime import datetime

import pytest

from domains.deciders import make_engine
from engine.decision import Context, Decision, Message
from engine.targets.memory_index import MemoryIndex
from engine.values import Task

TITLES = ("Buy milk", "Buy bread", "Dentist appointment", "Finish the quarterly report", "Caffè con Zoë")
TASKS = tuple(Task(f"t{number}", number, title) for number, title in enumerate(TITLES, 1))
LISTED = (Message("assistant", "Your tasks", ("t3", "t1", "t4")),)


def decide(text: str, history: tuple[Message, ...] = ()) -> Decision:
    now = datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001 - a wall clock, as the Context has it
    return make_engine().decide(text, Context(tasks=MemoryIndex(TASKS), now=now, history=history, language="en"))


@pytest.mark.parametrize(
    ("text", "task_id", "how"),
    [
        ("complete task 3", "t3", "number"),
        ("mark #2 as done", "t2", "number"),
        ("mark buy milk as done", "t1", "exact"),
        ("mark the dentist one as done", "t3", "partial"),
        ("mark caffe con zoe as done", "t5", "exact"),
    ],
)
def test_a_task_is_found_by_what_it_is_called(text: str, task_id: str, how: str) -> None:
    decision = decide(text)
    assert decision.calls[0].parameters["task_identifier"] == task_id
    assert decision.references[0].candidates[0].how == how


@pytest.mark.parametrize(
    ("text", "task_id"),
    [("mark the first one as done", "t3"), ("mark the second one as done", "t1"), ("mark the last one as done", "t4")],
)
def test_places_are_those_of_the_list_shown_last(text: str, task_id: str) -> None:
    assert decide(text, LISTED).calls[0].parameters["task_identifier"] == task_id


def test_it_is_the_task_talked_about_last() -> None:
    history = (*LISTED, Message("user", "the report", ("t4",)))
    assert decide("mark it as done", history).calls[0].parameters["task_identifier"] == "t4"


def test_after_a_list_it_could_be_any_of_them() -> None:
    decision = decide("mark it as done", LISTED)
    assert (decision.action, decision.reason) == ("clarify", "ambiguous_target")
    assert decision.pending is not None
    assert decision.pending.options == ("t3", "t1", "t4")


def test_a_task_that_is_gone_is_nobody() -> None:
    decision = decide("mark it as done", (Message("assistant", "done", ("t99",)),))
    assert (decision.action, decision.calls) == ("clarify", ())


def test_several_that_fit_are_asked_about_by_name() -> None:
    decision = decide("mark buy as done")
    assert decision.reason == "ambiguous_target"
    assert "'Buy milk' (#1)" in decision.message
    assert "'Buy bread' (#2)" in decision.message


def test_a_misspelt_name_only_suggests_a_deletion() -> None:
    decision = decide("delete buy mlik")
    assert (decision.action, decision.reason, decision.calls) == ("clarify", "uncertain_target", ())
    assert "Buy milk" in decision.message


def test_losers_stay_with_their_scores() -> None:
    candidates = decide("mark buy milk as done").references[0].candidates
    assert [candidate.task_id for candidate in candidates] == ["t1", "t2"]
    assert candidates[0].score > candidates[1].score


def test_exact_titles_are_found_among_a_hundred_thousand() -> None:
    index = MemoryIndex(
        Task(str(number), number, f"call customer {number % 1000} about {number}") for number in range(100_000)
    )
    assert index.candidates("call customer 17 about 40017", 5)[0].number == 40_017
