"""The scenarios that come along do live what their notes say: a presenter must never be contradicted by the screen."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from assistant import Assistant, Lanes
from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.machines.seed import seed_machines
from db.reach import MACHINES
from db.turns.conversations import start_conversation
from db.turns.turns import find_turns, read_decisions
from db.users import create_user
from domains.deciders import make_decider
from domains.loading import load_domain
from domains.tasks.calls import adding_from
from tests.conftest import NOW
from ui.demo.scoring import JudgedStep, judge_scene
from ui.demo.script import Scenario
from ui.demo.script_file import load_own_scenarios
from ui.turns.card import make_view

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
ENGINES = {name: make_decider(load_domain(name)) for name in {each.domain for each in load_own_scenarios()}}


def play(scenario: Scenario, database: Database, now: datetime) -> tuple[JudgedStep, ...]:
    """Through the engine alone."""
    domain = load_domain(scenario.domain)
    with database.write() as session:
        actor = create_user(session, "Demo stage", handle="stage", stage=True)
        conversation = start_conversation(session, actor.id, domain=domain.name)
    executor = Executor(database, actor, lambda: now)
    for task in scenario.tasks:
        assert executor.execute(adding_from(task.arguments(now.date())), Origin("seed")).ok
    if domain.name == MACHINES:
        seed_machines(database, actor, lambda: now)
    assistant, lanes = Assistant(database, actor, lambda: now, domain), Lanes(ENGINES[domain.name])
    ids = [assistant.run_turn(conversation, step.say, scenario.driver, lanes) for step in scenario.steps]
    with database.read() as session:
        turns = {turn.id: turn for turn in find_turns(session, actor.id, ids)}
        bodies = read_decisions(session, actor.id, ids)
    return judge_scene(scenario, [make_view(turns[each], bodies[each], undone=False) for each in ids], now.date())


def wrong_in(steps: tuple[JudgedStep, ...]) -> list[tuple[str, str]]:
    return [(each.step.say, each.engine.mark) for each in steps if each.engine.mark != "right"]


@pytest.mark.parametrize("scenario", load_own_scenarios(), ids=lambda scenario: scenario.name)
def test_the_engine_does_what_is_right(scenario: Scenario, database: Database) -> None:
    steps = play(scenario, database, NOW)
    assert len(steps) == len(scenario.steps)
    assert wrong_in(steps) == []
    assert {each.llm.mark for each in steps} == {"off"}


def names_a_day(scenario: Scenario) -> bool:
    return any(str(value) in WEEKDAYS for _, call in scenario.expected() for value in call.arguments.values())


@pytest.mark.thorough("tests/ui/demo/test_own_scenarios.py::test_the_engine_does_what_is_right")
def test_a_weekday_is_the_next_one_also_on_that_very_day(database: Database) -> None:
    dated = [scenario for scenario in load_own_scenarios() if names_a_day(scenario)]
    assert len(dated) >= 2
    for days in (1, 2, 3):  # thursday, friday and saturday are said
        for scenario in dated:
            assert wrong_in(play(scenario, database, NOW + timedelta(days=days))) == [], (scenario.name, days)
