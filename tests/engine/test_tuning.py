"""Turned thresholds change what the engine does, in both languages, and never let it delete unasked."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import datetime
from itertools import product

import pytest

from domains.deciders import make_engine, make_tuned_engine
from domains.loading import load_policy
from engine.decision import Context, Message, Thresholds
from engine.policy.tuning import KNOBS, find_problem, own_thresholds, tune
from engine.targets.memory_index import MemoryIndex
from engine.values import Task

TASKS = (Task("a", 1, "Buy milk"), Task("b", 2, "Call the dentist"), Task("c", 3, "Comprare il pane"))
CONTEXT = Context(MemoryIndex(TASKS), datetime(2026, 3, 4, 10), (Message("user", "", ("a",)),))  # noqa: DTZ001


def test_every_threshold_of_a_policy_can_be_turned_and_its_own_values_are_in_range() -> None:
    assert {knob.name for knob in KNOBS} == {each.name for each in fields(Thresholds)}
    for language in ("en", "it"):
        assert find_problem(own_thresholds(load_policy(language))) is None


@pytest.mark.parametrize("text", ["remind me to call mom tomorrow", "add a task to buy tea", "aggiungi comprare il tè"])
def test_a_higher_threshold_makes_the_engine_ask(text: str) -> None:
    plain, strict = make_engine().decide(text, CONTEXT), make_tuned_engine({"act": 1.0}).decide(text, CONTEXT)
    assert strict.confidence == plain.confidence
    assert (plain.action, strict.action) == ("execute", "clarify")
    assert "act 1" in strict.policy_version


def test_unchanged_thresholds_are_the_policy_itself() -> None:
    policy = load_policy("en")
    assert tune(policy, own_thresholds(policy)) is policy
    assert make_tuned_engine({}).decide("add tea", CONTEXT) == make_engine().decide("add tea", CONTEXT)


def test_a_tuned_policy_makes_no_table_of_its_words_anew() -> None:
    """That takes a fifth of a second, for each person who turns a threshold."""
    policy = load_policy("en")
    tuned, alone = tune(policy, {"act": 0.9}), policy.by_words_alone()
    for table in ("lexicon", "frame_index", "guard_index", "date_words"):
        assert getattr(tuned, table) is getattr(alone, table) is getattr(policy, table), table
    assert tuned.way_index is policy.way_index
    assert (alone.way_patterns, bool(policy.way_patterns)) == ((), True)
    assert tuned.asked_before is not policy.asked_before, "it is read by the numbers"
    with pytest.raises(ValueError, match="words"):
        policy.vary(words={})


@pytest.mark.parametrize("text", ["delete it", "add a task to buy tea", "cancella il pane", "what's due tomorrow?"])
def test_a_tuned_policy_decides_like_one_made_of_the_same_files(text: str) -> None:
    for language in ("en", "it"):
        policy = load_policy(language)
        thresholds = replace(policy.thresholds, act=0.95, target=0.3)
        tuned, fresh = policy.vary(thresholds=thresholds), replace(policy, thresholds=thresholds)
        assert make_engine(tuned).decide(text, CONTEXT) == make_engine(fresh).decide(text, CONTEXT)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"act": 0.1}, "between"),
        ({"margin": 0.9}, "between"),
        ({"act": 0.5, "read": 0.6}, "act"),
        ({"target": 0.9, "sure_target": 0.8}, "candidate"),
    ],
)
def test_thresholds_that_make_no_sense_are_refused_in_a_sentence(values: dict[str, float], said: str) -> None:
    problem = find_problem(values)
    assert problem
    assert said in problem


@pytest.mark.parametrize(
    "text",
    [
        "delete buy milk",
        "delete it",
        "delete the mlk task",
        "please remove that one",
        "cancella il pane",
        "elimina quello",
    ],
)
def test_no_threshold_lets_the_engine_delete_without_a_question(text: str) -> None:
    asked = 0
    for act, read in product((0.0, 0.3, 0.7, 1.0), (0.0, 0.5, 0.99)):
        changes = {"act": act, "read": read, "target": 0.3, "sure_target": 0.3}
        decision = make_tuned_engine(changes).decide(text, CONTEXT)
        assert decision.action != "execute", (act, read)
        asked += bool(decision.pending and decision.pending.call.tool_name == "delete_task")
    assert asked >= 8, "a message that is never read as deleting shows nothing"
