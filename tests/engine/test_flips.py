"""What would flip it: every flip that is shown really flips, and the search ends in time."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime

import pytest

import benchmarks.flips
from benchmarks.flips import SECONDS, find_problem
from domains.deciders import make_engine
from domains.loading import load_policy
from domains.tasks.tools import CATALOGUE
from engine.decision import Context, Message
from engine.explaining.flips import Flips, find_flips
from engine.explaining.trial import Flip, gist_of
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from evals.case import Case
from evals.situation import begin
from tests.our_cases import our_cases
from tests.rounds import rounds

NOW = datetime(2026, 3, 4, 10)  # noqa: DTZ001 - a person's own clock
TASKS = (Task("a", 1, "Call the dentist"), Task("b", 2, "Send invoice to Acme"), Task("c", 3, "Send invoice to Globex"))
CASES = our_cases()[::62][:20]
"""All of them: `python -m benchmarks.flips`, in `make test-long`."""
FLIPPED = CASES[:: rounds(3, 1)]


def flips_of(text: str, tasks: tuple[Task, ...] = TASKS, seconds: float = SECONDS, **more: object) -> Flips:
    context = Context(tasks=MemoryIndex(tasks), now=NOW, language="en")
    return find_flips(text, replace(context, **more), tasks, make_engine(), seconds=seconds)  # type: ignore[arg-type]


def changes(flips: Flips, kind: str) -> dict[str, Flip]:
    return {flip.change: flip for flip in flips.found if flip.kind == kind}


def test_the_twenty_cases_are_of_every_kind() -> None:
    assert len(CASES) == 20
    assert {case.language for case in CASES} == {"en", "it"}
    actions = {make_engine().decide(case.turns[0].text, begin(case).context).action for case in CASES}
    assert actions == {"execute", "confirm", "clarify", "reply"}


def test_a_search_that_finds_nothing_or_what_does_not_flip_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[0]
    flips = find_flips(case.turns[0].text, begin(case).context, begin(case).tasks, make_engine())
    same = replace(flips.found[0], text=case.turns[0].text, context=begin(case).context, policy=None)
    for found, said in (((), "would"), ((same,), "stays what it is")):
        monkeypatch.setattr(benchmarks.flips, "find_flips", lambda *_, found=found, **__: replace(flips, found=found))
        assert said in find_problem(case)


@pytest.mark.parametrize("case", FLIPPED, ids=lambda case: case.id)
def test_every_flip_really_flips(case: Case) -> None:
    assert find_problem(case) == ""


def test_a_policy_made_anew_with_the_changed_number_flips_too() -> None:
    flips = flips_of("create a reminder to water the roses")
    numbers = [flip for flip in flips.found if flip.policy]
    assert {flip.kind for flip in numbers} == {"threshold", "weight"}
    for flip in numbers:
        assert flip.policy
        fresh = replace(load_policy("en"), thresholds=flip.policy.thresholds, weights=flip.policy.weights)
        assert make_engine(fresh).decide(flip.text, flip.context) == flip.after


def test_a_word_left_out_is_named_with_what_comes_of_it() -> None:
    found = changes(flips_of("delete the dentist task"), "word left out")
    assert found["without “dentist”"].after.reason == "missing_parameter"
    assert found["without “dentist”"].text == "delete the task"


def test_a_word_added_can_turn_it_around() -> None:
    found = changes(flips_of("delete the dentist task"), "word added")
    assert {gist_of(flip.after, CATALOGUE).reason for flip in found.values()} >= {"batch"}


def test_two_tasks_that_fit_become_one_when_the_other_is_gone() -> None:
    found = changes(flips_of("complete the invoice"), "target")
    assert found["if #3 “Send invoice to Globex” were gone"].after.calls[0].parameters["task_identifier"] == "b"


def test_a_task_that_nobody_has_would_be_found_under_its_name() -> None:
    found = changes(flips_of("mark the yoga class as done"), "target")
    assert any("were called “the yoga class”" in change for change in found)


def test_a_question_that_waits_and_what_was_said_before_count() -> None:
    question = make_engine().decide("delete the dentist task", Context(MemoryIndex(TASKS), NOW)).pending
    assert changes(flips_of("yes", pending=question), "conversation")["if no question were waiting"]
    said = (Message("assistant", "Here it is.", ("a",)),)
    assert changes(flips_of("complete it", history=said), "conversation")["without the last message before it"]


def test_the_threshold_for_acting_is_given_where_it_decides() -> None:
    (change,) = [change for change in changes(flips_of("add a task to buy milk"), "threshold") if "act" in change]
    assert "instead of 0.70" in change


def test_a_long_message_does_not_hold_the_page_up() -> None:
    began = time.monotonic()
    flips = flips_of("please delete the dentist task because of this and that " * 150, seconds=1)
    assert time.monotonic() - began < 5
    assert flips.runs > 0


def test_a_search_that_ran_out_says_so_and_keeps_what_it_found() -> None:
    context = Context(tasks=MemoryIndex(TASKS), now=NOW)
    flips = find_flips("delete the dentist task", context, TASKS, make_engine(), most_runs=2)
    assert not flips.complete
    assert flips.runs == 2
    assert flips.found


@pytest.mark.parametrize("text", ["", "?", "hello"])
def test_next_to_nothing_is_no_trouble(text: str) -> None:
    assert flips_of(text, ()).complete
