"""Databases that an earlier Twolane wrote with its own functions: whoever updates finds everything again.

`fixtures/version_13.db` has two people with tasks, chats, chats with their machines, a case each, verdicts, a
comparison and a token.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from db.clients.access_tokens import list_tokens
from db.connection import Database
from db.evaluation.cases import list_cases
from db.evaluation.comparisons import find_lines, list_comparisons
from db.evaluation.verdicts import read_verdicts
from db.machines.choices import read_learned
from db.machines.fleet import load_fleet
from db.tasks.listing import TaskQuery
from db.tasks.service import TaskService
from db.turns.conversations import list_conversations
from db.turns.history import find_history
from db.turns.query import TurnQuery
from db.turns.turns import read_decisions, read_turns
from db.users import User, find_user
from engine.border.json_form import from_json
from engine.decision import Decision
from tests.conftest import NOW

_FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Database]:
    path = tmp_path / "old.db"
    shutil.copy(_FIXTURES / "version_13.db", path)
    database = Database(f"sqlite:///{path}")
    yield database
    database.close()


def person(database: Database, handle: str) -> User:
    with database.read() as session:
        user = find_user(session, handle)
    assert user
    return user


def test_tasks_and_machines_are_there(old: Database) -> None:
    ada = person(old, "ada")
    with old.read() as session:
        titles = {task.title for task in TaskService(session, ada, lambda: NOW).find_all(TaskQuery())}
        machines = [machine.name for machine in load_fleet(session, ada.id).machines()]
    assert "Buy milk" in titles
    assert "Call the dentist" not in titles, "deleted in the chat"
    assert "Frigo Cucina" in machines


def test_chats_are_there_with_their_contexts_and_verdicts(old: Database) -> None:
    ada = person(old, "ada")
    with old.read() as session:
        turns = find_history(session, ada.id, TurnQuery(text="bread"), limit=9, offset=0)
        verdicts = read_verdicts(session, ada.id, [turn.id for turn in turns])
        conversation = next(each for each in list_conversations(session, ada.id) if "bread" in each.title)
        said = [turn.text for turn in read_turns(session, ada.id, conversation.id)]
    assert said == ["add buy bread tomorrow", "delete call the dentist", "yes"]
    assert turns[0].context["now"].startswith("2026-11-02")
    assert verdicts == {turns[0].id: {"engine": "right"}}


def test_cases_comparisons_and_tokens_are_there(old: Database) -> None:
    ada, bob = person(old, "ada"), person(old, "bob")
    with old.read() as session:
        (case,) = list_cases(session, ada.id)
        assert (case.text, case.domain) == ("add buy bread tomorrow", "tasks")
        (run,) = list_comparisons(session, ada.id)
        assert run.domain == "tasks"
        assert [line.text for line in find_lines(session, run.id)] == ["buy eggs"]
        assert [token.name for token in list_tokens(session, ada.id)] == ["A script"]
        assert (len(list_cases(session, bob.id)), list_comparisons(session, bob.id)) == (1, ())


def test_what_was_learned_is_there(old: Database) -> None:
    ada = person(old, "ada")
    with old.read() as session:
        (learned,) = read_learned(session, ada.id)
    assert (learned.key.split("|")[0], learned.times) == ("machine_command_execute", 1)


def test_the_chat_with_the_machines_is_a_conversation_like_any_other(old: Database) -> None:
    ada, bob = person(old, "ada"), person(old, "bob")
    with old.read() as session:
        (conversation,) = list_conversations(session, ada.id, domain="machines")
        turns = read_turns(session, ada.id, conversation.id)
        decisions = read_decisions(session, ada.id, [turn.id for turn in turns])
        others = find_history(session, bob.id, TurnQuery(domain="machines"), limit=9, offset=0)
    assert [turn.text for turn in turns] == [
        "turn on the light of Frigo Cucina",
        "Accendi la luce del frigo",
        "Frigo Cucina",
        "turn off the light",
    ]
    assert [turn.reply for turn in turns][:2] == [
        "Frigo Cucina: light switched on.",
        "Ho trovato 3 macchine per “frigo”. Quale?",
    ]
    assert turns[0].results[0]["tool_name"] == "machine_command_execute"
    assert turns[0].results[0]["audit_id"]
    assert turns[0].offers
    read = [from_json(Decision, decisions[turn.id]["engine"]) for turn in turns]
    assert [(each.action, each.intent, str(each.reason)) for each in read] == [
        ("execute", "run_command", "matched_rule"),
        ("clarify", "run_command", "ambiguous_target"),
        ("execute", "run_command", "matched_rule"),
        ("execute", "run_command", "matched_rule"),
    ]
    assert [turn.text for turn in others] == ["what is the temperature of Frigo Cucina"]


def test_the_chats_about_tasks_do_not_list_it(old: Database) -> None:
    ada = person(old, "ada")
    with old.read() as session:
        assert [each.turns for each in list_conversations(session, ada.id)] == [3]
