"""What the router learns from recorded turns, without a model: who is right when, and what a wrong change costs."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.border.json_form import to_json
from engine.decision import Decision, Reason
from engine.outcome.router import LearnedRouter, RouterWeights
from engine.values import make_call
from llm.calibration import features_of
from training.router import fitting
from training.router.recording import KINDS, is_possible

ADD = make_call("add_task", {"title": "tea"}, "llm")
SILENT = Decision("engine", "reply", "unknown", Reason.NOT_ABOUT_TASKS, confidence=0.6)
WANTS = Decision("llm", "execute", "add_task", Reason.MODEL_CALLED, calls=(ADD,))
ACTS = Decision("engine", "execute", "add_task", Reason.MATCHED_RULE, calls=(ADD,), confidence=0.99)
SURE, UNSURE = (-0.01,) * 9, (*(-0.01,) * 8, -4.0)


def record(place: int, verdicts: dict[str, str], probabilities: tuple[float, ...], **decisions: Any) -> dict[str, Any]:
    lanes = {"engine": SILENT, "llm": WANTS, **decisions}
    written = {name: to_json(each) if each else None for name, each in lanes.items()}
    return {"id": f"talk-{place}/1", "verdicts": verdicts, "log_probabilities": probabilities, **written}


RIGHT = {"engine": "missed", "llm": "offered", "llm_offered": "offered"}
SMALL_TALK = {"engine": "right", "llm": "nuisance", "llm_offered": "nuisance"}


@pytest.fixture
def turns() -> list[fitting.Turn]:
    """A model that is right where it is sure, beside an engine that says nothing."""
    records = [record(place, RIGHT, SURE) for place in range(40)]
    records += [record(place + 40, SMALL_TALK, UNSURE) for place in range(40)]
    records += [record(place + 80, {"engine": "right"}, (), engine=ACTS, llm=None) for place in range(20)]
    read = fitting.read_turns(records)
    return fitting.calibrate(read, fitting.fit_calibration(read, "adapter"))


def test_the_calibration_tells_sure_from_unsure(turns: list[fitting.Turn]) -> None:
    calibration = fitting.fit_calibration(turns, "adapter")
    assert calibration.apply(SURE) > 0.8
    assert calibration.apply(UNSURE) < 0.2


def test_one_token_out_of_nowhere_says_no_more_than_one_that_is_unlikely() -> None:
    assert features_of((-0.1, -50.0))[1] == features_of((-0.1, -6.0))[1]


def test_what_a_sure_model_wants_is_offered_and_what_an_unsure_one_wants_is_not(turns: list[fitting.Turn]) -> None:
    router = LearnedRouter(RouterWeights(**fitting.fit_likelihoods(turns), **fitting.fit_thresholds(turns)))
    routes = [fitting.route_of(turn, router) for turn in turns]
    assert set(routes[:40]) == {"llm_offered"}
    assert set(routes[40:]) == {"engine"}
    assert fitting.share_that_waits(turns, router) == 0.8


def test_a_call_that_nearly_was_none_is_asked_about_where_that_costs_hardly_anything() -> None:
    nearly, plain, asked = (math.log(0.94), -0.01), (math.log(0.995), -0.01), {"llm": "right", "llm_offered": "offered"}
    unsafe = {"llm": "unsafe", "llm_offered": "nuisance"}
    records = [record(place, asked, plain) for place in range(40)] + [record(50, unsafe, nearly)]
    assert fitting.fit_calls(fitting.read_turns(records)) == 0.99
    several = [record(60 + place, asked, (math.log(0.96), -0.01)) for place in range(3)]
    assert fitting.fit_calls(fitting.read_turns(records + several)) == 0.95


def test_an_unsafe_change_outweighs_many_that_would_have_been_right() -> None:
    costs = fitting.COSTS
    assert costs["unsafe"] > costs["wrong"] > 3 * costs["missed"]
    assert costs["right"] < costs["offered"] < costs["asked"]


def test_too_little_to_learn_from_is_a_share_and_no_error() -> None:
    few = fitting.read_turns([record(1, RIGHT, SURE)])
    assert 0.5 < fitting.fit_likelihoods(few)["llm"].of({}) < 1


def test_only_what_can_be_is_played() -> None:
    possible = {kind for kind in KINDS if is_possible(kind, SILENT, WANTS)}
    assert possible == {"engine", "llm", "llm_offered"}


def test_a_model_that_drives_asks_where_asking_costs_less_than_what_it_does_wrong() -> None:
    wrong = {"engine": "missed", "llm": "wrong", "llm_offered": "asked"}
    done = {"engine": "missed", "llm": "right", "llm_offered": "offered"}
    records = [record(place, done, SURE) for place in range(40)]
    records += [record(place + 40, wrong, UNSURE) for place in range(20)]
    read = fitting.read_turns(records)
    turns = fitting.calibrate(read, fitting.fit_calibration(read, "adapter"))
    sure = fitting.fit_sure(turns)
    assert [fitting.drive_alone(turn, sure) for turn in turns] == ["llm"] * 40 + ["llm_offered"] * 20
    assert fitting.fit_sure(turns[:40]) == 0.0
