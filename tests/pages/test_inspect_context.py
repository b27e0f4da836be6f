"""The context on Inspect: whose tasks, which turn, edits, and what cannot be read yet."""

from __future__ import annotations

import json

import pytest

from db.audit import Origin
from db.connection import Database
from db.evaluation.cases import save_case
from db.executor import Executor
from db.tasks.service import TaskService
from db.turns.conversations import start_conversation
from db.turns.turns import start_turn
from db.users import create_user
from domains.deciders import make_engine
from engine.border.wire import write_context
from engine.decision import Context
from engine.targets.recorded_index import RecordingIndex
from engine.values import make_call
from settings import load_settings
from tests.pages.test_inspect import WIRE, button, field, html, open_page, pending_of, say, words
from tests.pages.test_tasks import here, person
from ui.given.message import InspectInput


def test_a_turn_that_does_not_exist_is_told_and_the_page_works(workbench: Database) -> None:
    page = open_page(turn="no-such-turn")
    assert "There is no turn “no\\-such\\-turn” of yours" in page.warning[0].value
    assert "after a yes" in html(say(page, "delete the passport task"))


def test_a_turn_opens_with_its_message_and_its_context(workbench: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    wire = {**WIRE, "pending": pending_of("delete the dentist task")}
    monkeypatch.setattr("ui.inspect.context.find_turn_input", lambda user, turn_id: InspectInput("yes", wire))
    page = open_page(turn="t1")
    assert page.text_input(key="text").value == "yes"
    assert "Will delete #1 “Call the dentist”" in html(page)
    assert "No weight had a say" in words(page)
    assert "as it was in that turn" in words(page)
    assert "without a question" not in words(page)
    assert "Does nothing" in html(say(page, "no"))


def test_malformed_json_is_told_and_nothing_is_lost(workbench: Database) -> None:
    page = say(open_page(), "yes")
    asked = json.dumps(pending_of("delete the dentist task"))
    field(page, "Waiting question (JSON)").set_value(asked).run()
    assert "Will delete" in html(page)
    field(page, "Waiting question (JSON)").set_value(asked[:-1]).run()
    assert "Waiting question" in page.error[0].value
    assert "line 1, column" in page.error[0].value
    assert field(page, "Waiting question (JSON)").value == asked[:-1]
    assert "Will delete" in html(page), "until it can be read, the last value counts"
    field(page, "Said before (JSON)").set_value("[").run()
    assert len(page.error) == 2
    field(page, "Waiting question (JSON)").set_value("").run()
    field(page, "Said before (JSON)").set_value("").run()
    assert not page.error
    assert "Will delete" not in html(page)


def test_another_now_and_another_language_run_the_decision_again(workbench: Database) -> None:
    page = open_page(text="remind me to call Anna tomorrow")
    field(page, "Now").set_value("2030-05-01T09:00").run()
    assert "due date Thu 2 May 2030" in html(page)
    assert "edited" in words(page)
    field(page, "Now").set_value("soon").run()
    assert "ISO time" in page.error[0].value
    assert "due date Thu 2 May 2030" in html(page)
    field(page, "Language").set_value("it").run()
    assert "By the Italian policy" in words(page)
    button(page, "Back to how it was").click().run()
    assert "due date 2030" not in html(page)
    assert "your own" in words(page)


def test_tasks_that_change_in_the_store_change_the_context(workbench: Database) -> None:
    page = open_page(text="delete the harpsichord task")
    assert "has to ask first" in html(page)
    added = make_call("add_task", {"title": "Tune the harpsichord"}, "person")
    Executor(workbench, person(workbench), here).execute(added, Origin("person"))
    page.run()
    assert "Would delete #21 “Tune the harpsichord”, after a yes" in html(page)


def test_an_old_task_of_many_is_found(workbench: Database) -> None:
    with workbench.write() as session:
        service = TaskService(session, person(workbench), here)
        service.create("Tune the harpsichord")
        for number in range(400):
            service.create(f"Errand {number}")
    page = open_page(text="delete the harpsichord task")
    assert "Would delete #21 “Tune the harpsichord”, after a yes" in html(page)
    assert "The 300 tasks changed last, of 421" in words(page)


def test_a_person_without_tasks_can_inspect(workbench: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with workbench.write() as session:
        create_user(session, "Nina")
    monkeypatch.setenv("DEFAULT_USER", "nina")
    load_settings.cache_clear()
    page = open_page(text="complete the passport task")
    assert "0 tasks" in words(page)
    assert "No task in reach shares a word" in words(page)


def test_a_saved_case_opens_in_the_context_it_was_saved_in(workbench: Database) -> None:
    with workbench.write() as session:
        case, _ = save_case(session, person(workbench).id, "mark the dentist as done", WIRE, {"intent": "unknown"})
    page = open_page(text="hello")
    page.button(key=f"open-{case.id}").click().run()
    assert "Will complete #1 “Call the dentist”" in html(page)
    assert "as it was when the case was saved" in words(page)
    button(page, "My own tasks").click().run()
    assert "Will complete #4 “Call the dentist about the crown”" in html(page)


def test_a_recorded_message_that_was_too_long_is_shown_as_it_was(
    workbench: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = InspectInput("delete it " * 1_500, WIRE)
    monkeypatch.setattr("ui.inspect.context.find_turn_input", lambda user, turn_id: long)
    page = open_page(turn="t1")
    assert page.text_input(key="text").value == long.text
    assert "too_long" in html(page)


def test_a_recorded_turn_is_decided_on_the_page_as_it_was(workbench: Database) -> None:
    maya = person(workbench)
    with workbench.write() as session:
        conversation = start_conversation(session, maya.id, "Monday")
        index = RecordingIndex(TaskService(session, maya, here))
        context = Context(index, here(), language="en")
        decision = make_engine().decide("delete the passport task", context)
        said = {"text": "delete the passport task", "driver": "engine", "context": write_context(context, index)}
        start_turn(session, maya.id, conversation, turn_id="t1", llm_status="off", **said)
    Executor(workbench, maya, here).execute(
        make_call("delete_task", {"task_identifier": "#10"}, "person"), Origin("person")
    )
    page = open_page(turn="t1")
    assert decision.action == "confirm"
    assert "Would delete #10 “Renew passport”, after a yes" in html(page)
    assert "as it was in that turn" in words(page)
    assert "has to ask first" in html(say(open_page(), "delete the passport task"))
