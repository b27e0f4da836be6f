"""Why a message about machines was not read as wanted, by the steps of their own reading."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from domains.drafts import begin_draft
from domains.machines.decider import MachineDecider
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.reach import FleetIndex
from engine.completing.values import DEFAULT_SETTINGS
from engine.decision import Context
from engine.editing.edits import AddPattern
from engine.why import WhyNot, find_why
from tests.conftest import NOW
from tests.domains.machines.test_compose import machine

FLEET = (
    machine("m-dw", "Dishwasher", "start_cycle", "stop_cycle"),
    machine("m-kf", "Kitchen Fridge", "turn_on_light"),
    machine("m-bf", "Bar Fridge", "turn_on_light"),
)


def why(
    text: str,
    wanted: str = "run_command",
    arguments: Mapping[str, str] | None = None,
    *,
    language: str = "en",
    decider: MachineDecider | None = None,
) -> WhyNot:
    context = Context(FleetIndex(MemoryFleet(FLEET)), NOW, language=language)
    return find_why(text, context, decider or MachineDecider(), wanted, arguments or {})


@pytest.mark.parametrize(
    ("text", "wanted", "kind", "told"),
    [
        ("don't start the dishwasher", "run_command", "guard", "stopped by “don't”, which says not to"),
        ("start the dishwasher tomorrow", "run_command", "guard", "stopped by “tomorrow”"),
        ("holler at the dishwasher", "run_command", "no_word", "“holler” means nothing here"),
        ("holler at the dishwasher", "run_command", "no_word", "no word of the message asks for run_command"),
        ("start the toaster", "run_command", "no_target", "no machine is called “toaster”"),
        ("start the dishwashr", "run_command", "below_threshold", "below the threshold “act” of 0.90"),
        ("turn on the light of the fridge", "run_command", "question", "several machines fit: Kitchen Fridge, Bar"),
        ("defrost the dishwasher", "run_command", "no_target", "“Dishwasher” takes start_cycle, stop_cycle"),
        ("start the dishwasher", "read_metrics", "loses", "read as run_command, by “start”"),
    ],
)
def test_each_step_says_what_stood_in_the_way(text: str, wanted: str, kind: str, told: str) -> None:
    found = why(text, wanted)
    assert found.decided_by == "own_reading"
    assert [each for each in found.obstacles if each.kind == kind and told in each.told], found.obstacles
    assert not found.is_settled


def test_what_speaks_against_it_comes_with_its_line() -> None:
    (obstacle,) = why("don't start the dishwasher").obstacles
    assert str(obstacle.place).startswith("languages/en/words.txt line ")
    assert obstacle.span
    assert "don't start the dishwasher"[obstacle.span.start : obstacle.span.end] == "don't"


def test_in_italian_too() -> None:
    found = why("non avviare la dishwasher", language="it")
    assert [each.told for each in found.obstacles] == ["stopped by “non”, which says not to"]


def test_the_nearest_ways_are_those_that_lack_one_word() -> None:
    found = why("fire up the dishwasher")
    power = next(miss for miss in found.misses if miss.pattern == "power up")
    assert (power.frame, power.kind, power.part, power.words) == ("turn_on", "swap", "power", "fire")
    assert str(power.place).startswith("en/intents/run_command.yaml line ")
    slip = why("strat the dishwasher").misses[0]
    assert (slip.pattern, slip.words) == ("start", "strat")


def test_a_way_that_is_added_as_told_is_read() -> None:
    draft = begin_draft("machines", "en").edit(AddPattern("run_command", "start", "fire up"))
    assert not why("fire up the dishwasher").is_settled
    assert why("fire up the dishwasher", decider=MachineDecider(DEFAULT_SETTINGS, draft.policy)).is_settled


def test_a_machine_that_was_not_taken_says_why() -> None:
    (gap,) = why("turn on the light of the fridge", arguments={"device_name": "Bar Fridge"}).gaps
    assert gap.told == "“Bar Fridge” was found by a part of its name, among 2"
    (gap,) = why("start the dishwasher", arguments={"device_id": "m-bf"}).gaps
    assert gap.told == "no word of the message led to “Bar Fridge”"
    assert gap.found == "Dishwasher"
    (gap,) = why("start the dishwasher", arguments={"device_name": "Bra Fridge"}).gaps
    assert "the nearest are “Bar Fridge”" in gap.told


def test_what_is_read_as_wanted_needs_no_reason() -> None:
    found = why("start the dishwasher", arguments={"device_id": "m-dw"})
    assert found.is_settled
    assert found.obstacles == found.misses == found.gaps == ()


def test_without_machines_it_says_that_there_are_none() -> None:
    context = Context(FleetIndex(MemoryFleet()), NOW, language="en")
    found = find_why("start the dishwasher", context, MachineDecider(), "run_command")
    assert [each.kind for each in found.obstacles] == ["no_target"]
