"""A demo plays by itself, can be paused and stepped, and says every message once."""

from __future__ import annotations

import pytest

from db.users import User
from ui.demo.pace import planned_seconds, reading_seconds
from ui.demo.run import DemoRun, StageScene, find_run, keep_run
from ui.demo.script import Scenario
from ui.demo.script_file import load_own_scenarios, read_script

LONGEST_SECONDS = 4 * 60
SCRIPT = """\
- name: One
  about: The first.
  steps:
    - {say: hello, note: is small talk., right: nothing}
    - {say: show my tasks, note: is a list., right: list_tasks}
- name: Two
  about: The second.
  steps:
    - {say: thanks, note: is small talk too., right: nothing}
"""


class Theatre:
    """A clock that is moved by hand, and what was said on the stage."""

    def __init__(self, *, sound: bool = True) -> None:
        self.now, self.said, self.scenes, self.sound = 100.0, list[str](), 0, sound
        self.run = DemoRun(read_script(SCRIPT), clock=lambda: self.now)

    def make_scene(self, _scenario: Scenario) -> StageScene:
        self.scenes += 1
        return StageScene(User("u", 1, "stage", "Demo stage", 0), f"c{self.scenes}")

    def say(self, _scenario: Scenario, _scene: StageScene, text: str) -> bool:
        if self.sound:
            self.said.append(text)
        return self.sound

    def look(self, seconds: float, *, decided: bool = True, drives: bool = False) -> str:
        """What is on the stage after so many seconds, looked at as often as the page does."""
        for _ in range(round(seconds * 4)):
            self.now += 0.25
            self.run.tick(self.run.look(decided=decided, drives=drives), self.make_scene, self.say)
        return f"{self.run.scenario.name} {self.run.beat} {len(self.said)}"

    def step(self) -> str:
        self.run.advance(self.run.look(decided=True), self.make_scene, self.say)
        return f"{self.run.scenario.name} {self.run.beat} {len(self.said)}"


@pytest.fixture
def theatre() -> Theatre:
    return Theatre()


def test_it_plays_from_the_first_message_to_the_score_of_all(theatre: Theatre) -> None:
    seen = [theatre.look(0.25) for _ in range(120)]
    assert list(dict.fromkeys(seen)) == [
        "One coming 0", "One said 1", "One coming 1", "One said 2", "One scored 2",
        "Two coming 2", "Two said 3", "Two scored 3", "Two over 3",
    ]  # fmt: skip
    assert theatre.said == ["hello", "show my tasks", "thanks"]
    assert theatre.scenes == 2, "a person of its own for each scenario"


def test_a_message_stands_until_both_lanes_have_decided_but_not_for_ever(theatre: Theatre) -> None:
    assert theatre.look(1) == "One said 1"
    assert theatre.look(5, decided=False) == "One said 1"
    assert theatre.look(4, decided=False) == "One said 2", "a lane that only watches is not waited for"
    assert theatre.look(60, decided=False, drives=True) == "One said 2", "one that acts is"


def test_pause_keeps_what_is_on_the_stage_and_play_goes_on(theatre: Theatre) -> None:
    theatre.look(1)
    theatre.run.pause()
    assert theatre.look(60) == "One said 1"
    theatre.run.play()
    assert theatre.look(0.5) == "One said 1", "it is given its time again"
    assert theatre.look(4) == "One said 2"


def test_a_step_is_one_message_and_then_it_waits(theatre: Theatre) -> None:
    seen = [theatre.step() for _ in range(6)]
    assert seen == [
        "One said 1", "One said 2", "One scored 2", "Two coming 2", "Two said 3", "Two scored 3",
    ]  # fmt: skip
    assert theatre.look(30) == "Two scored 3"


def test_it_is_quicker_at_a_higher_speed(theatre: Theatre) -> None:
    theatre.run.speed = 4.0
    assert theatre.look(5) == "Two over 3"


def test_the_score_of_a_scenario_that_was_chosen_waits_for_somebody(theatre: Theatre) -> None:
    theatre.run.on_its_own = False
    assert theatre.look(60) == "One scored 2"
    theatre.run.go_to(1)
    assert theatre.look(60) == "Two scored 3"


def test_again_is_a_new_person_with_the_messages_from_the_first(theatre: Theatre) -> None:
    theatre.look(30)
    theatre.run.go_to(0)
    assert (theatre.run.said, theatre.run.scene) == (0, None)
    theatre.look(1)
    assert theatre.scenes == 3


def test_what_cannot_be_said_stops_the_demo_where_it_is() -> None:
    theatre = Theatre(sound=False)
    assert theatre.look(30) == "One coming 0"
    assert not theatre.run.playing


def test_a_reload_finds_the_same_run(theatre: Theatre) -> None:
    keep_run(theatre.run)
    assert find_run(theatre.run.id) is theatre.run
    assert find_run("nobody") is None


def test_all_scenarios_end_in_under_four_minutes() -> None:
    """Also where the LLM takes two seconds for each message."""
    assert planned_seconds(load_own_scenarios(), llm_seconds=2.0) < LONGEST_SECONDS


@pytest.mark.parametrize("seconds", [2.0, 5.0, 20.0])
def test_all_scenarios_end_in_under_four_minutes_however_slow_the_llm_is(seconds: float) -> None:
    """Played with a clock of its own; only where the LLM acts is it waited for."""
    theatre = Theatre()
    theatre.run = DemoRun(load_own_scenarios(), clock=lambda: theatre.now)
    driven = sum(len(each.steps) for each in theatre.run.scenarios if each.driver.startswith("llm"))
    began = theatre.now
    while theatre.run.beat != "over":
        acts = theatre.run.scenario.driver.startswith("llm")
        answered = theatre.run.beat == "said" and theatre.now - theatre.run.since >= min(seconds, 5.0 if acts else 99.0)
        theatre.look(0.25, decided=answered, drives=acts)
    assert driven <= 4, "those are waited for"
    assert theatre.now - began < LONGEST_SECONDS


def test_what_is_planned_is_what_it_takes() -> None:
    theatre = Theatre()
    began = theatre.now
    while theatre.run.beat != "over":
        theatre.look(0.25)
    assert theatre.now - began == pytest.approx(planned_seconds(theatre.run.scenarios, 0.0, 0.125), abs=1.0)


def test_longer_notes_stand_longer() -> None:
    steps = [step for scenario in load_own_scenarios() for step in scenario.steps]
    longest, shortest = max(steps, key=reading_seconds), min(steps, key=reading_seconds)
    assert reading_seconds(longest) > 1.3 * reading_seconds(shortest)
