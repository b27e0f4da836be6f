"""The prepared scenarios do live what their notes say: a presenter must never be contradicted by the screen."""

from __future__ import annotations

import pytest

from assistant import Assistant, Lanes
from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.turns.conversations import start_conversation
from db.turns.turns import StoredTurn, find_turn
from db.users import User
from domains.deciders import make_engine
from engine.values import make_call
from tests.conftest import NOW
from ui.chat.bar import SUGGESTIONS
from ui.chat.scenarios import Scenario, load_scenarios

TOOLS: dict[str, list[list[str]]] = {
    "Keyword traps": [["add_task"], ["complete_task"], [], [], [], []],
    "What does “it” mean?": [["add_task"], ["update_task"], ["list_tasks"], ["complete_task"], [], ["update_task"]],
    "Two requests at once": [["add_task", "complete_task"], ["update_task"], ["add_task"]],
    "Deleting safely": [[], ["delete_task"], [], [], [], []],
    "In conversation": [["add_task"], ["update_task"], ["add_task"], ["undo"], ["complete_task"], ["add_task"], []],
    "Ask your list": [["list_tasks"]] * 6,
    "When the LLM is down": [["complete_task"], [], ["add_task"]],
}


def play(scenario: Scenario, database: Database, user: User) -> list[StoredTurn]:
    executor = Executor(database, user, lambda: NOW)
    for task in scenario.tasks:
        assert executor.execute(make_call("add_task", task.arguments(NOW.date()), "person"), Origin("seed")).ok
    with database.write() as session:
        conversation = start_conversation(session, user.id)
    assistant = Assistant(database, user, lambda: NOW)
    ids = [assistant.run_turn(conversation, step.say, scenario.driver, Lanes(make_engine())) for step in scenario.steps]
    with database.read() as session:
        turns = [find_turn(session, user.id, turn_id) for turn_id in ids]
    return [turn for turn in turns if turn]


@pytest.mark.parametrize("name", TOOLS)
def test_every_step_does_what_its_note_says(name: str, database: Database, ada: User) -> None:
    turns = play(load_scenarios()[name], database, ada)
    assert [[result["tool_name"] for result in turn.results] for turn in turns] == TOOLS[name]


def test_every_scenario_is_held_to_its_notes() -> None:
    assert set(load_scenarios()) == set(TOOLS)


def test_the_menu_offers_what_people_ask_to_see() -> None:
    assert len({kind for kind, _ in SUGGESTIONS}) == len(SUGGESTIONS) == 7
