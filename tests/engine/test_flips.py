"""What would flip it: every flip that is shown really flips, and the search ends in time."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime

import pytest

from domains.deciders import make_engine
from domains.loading import load_policy
from domains.tasks.tools import CATALOGUE
from engine.decision import Context, Decision, Message, Reason
from engine.explaining.flips import Flips, find_flips
from engine.explaining.trial import Flip, Kind, gist_of
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from evals.case import Case
from evals.situation import begin
from tests.our_cases import our_cases

NOW = datetime(2026, 3, 4, 10)  # noqa: DTZ001 - a person's own clock
TASKS = (Task("a", 1, "Call the dentist"), Task("b", 2, "Send invoice to Acme"), Task("c", 3, "Send invoice to Globex"))
CASES = our_cases()[::6][:200]
CERTAIN = 0.99


def flips_of(text: str, tasks: tuple[Task, ...] = TASKS, **more: object) -> Flips:
    context = Context(tasks=MemoryIndex(tasks), now=NOW, language="en")
    return find_flips(text, replace(context, **more), tasks, make_engine())  # type: ignore[arg-type]


def changes(flips: Flips, kind: str) -> dict[str, Flip]:
    return {flip.change: flip for flip in flips.found if flip.kind == kind}


def test_there_are_two_hundred_cases() -> None:
    assert len(CASES) == 200


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_flip_really_flips(case: Case) -> None:
    situation, text = begin(case), case.turns[0].text
    # Bounded by its runs alone: a busy machine finds as much as an idle one.
    flips = find_flips(text, situation.context, situation.tasks, make_engine(), seconds=120)
    before = make_engine().decide(text, situation.context)
    assert _kinds_missing({flip.kind for flip in flips.found}, before, text) == ""
    for flip in flips.found:
        after = make_engine(*filter(None, [flip.policy])).decide(flip.text, flip.context)
        assert gist_of(after, CATALOGUE) != gist_of(before, CATALOGUE), flip.change
        assert after == flip.after
        changed = (flip.text != text, flip.context != situation.context, flip.policy is not None)
        assert sum(changed) == 1, flip.change


def _kinds_missing(found: set[Kind], before: Decision, text: str) -> str:
    """Whatever is read as a request hangs on its words; what is done at once, also on the numbers of the policy, or on
    what is known of talking."""
    if before.reason is Reason.TOO_LONG:
        return ""  # one word less of twenty-five hundred changes nothing
    if before.action == "reply":
        return "" if found or not any(map(str.isalnum, text)) else "nothing would turn a reply into something else"
    if not found & {"word left out", "word added"}:
        return f"only {sorted(found)} would change a {before.action}"
    if before.intent in CATALOGUE.lists and before.confidence >= CERTAIN:
        return ""  # half a dozen pieces say the same, and no single one of them counts
    if len(found) < 2:
        return f"only {sorted(found)} would change a {before.action}"
    if before.action == "execute" and not found & {"threshold", "weight", "talk"}:
        return "no threshold, no weight and no way of talking would keep it from being done"
    return ""


def test_a_policy_made_anew_with_the_changed_number_flips_too() -> None:
    flips = flips_of("add a task to buy milk")
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
    flips = flips_of("please delete the dentist task because of this and that " * 150)
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
