"""The Inspect page in every state, run by Streamlit's own test runner."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from db.audit import Origin
from db.cases import list_cases
from db.connection import Database
from db.executor import Executor
from db.tasks import TaskService
from db.users import create_user
from engine.decider import RuleDecider
from engine.values import make_call
from engine.wire import write_pending
from evals.cases import load_cases
from settings import load_settings
from tests.pages.test_tasks import here, person
from ui.inspect_case import _export
from ui.inspect_input import InspectInput, make_context

ROOT = Path(__file__).parent.parent.parent
TASKS = [{"id": "a", "number": 1, "title": "Call the dentist"}, {"id": "b", "number": 2, "title": "Buy milk"}]
WIRE: dict[str, Any] = {"tasks": TASKS, "history": [], "pending": None, "now": "2026-03-04T10:00:00", "lang": "en"}


def open_page(**address: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "pages" / "inspect.py"), default_timeout=60)
    for name, value in address.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def say(page: AppTest, text: str) -> AppTest:
    page.text_input(key="text").set_value(text).run()
    assert not page.exception
    return page


def html(page: AppTest) -> str:
    return "\n".join(element.proto.body for element in page.get("html"))


def words(page: AppTest) -> str:
    return "\n".join(element.value for kind in (page.markdown, page.caption) for element in kind)


def field(page: AppTest, label: str) -> Any:
    fields = [*page.text_input, *page.text_area, *page.selectbox]
    return next(each for each in fields if each.label == label)


def button(page: AppTest, label: str) -> Any:
    return next(each for each in page.button if each.label == label)


def pending_of(text: str) -> dict[str, Any]:
    pending = RuleDecider().decide(text, make_context(WIRE)).pending
    assert pending
    return write_pending(pending)


def test_without_a_message_examples_are_offered(workbench: Database) -> None:
    page = open_page()
    assert "Any message will do" in words(page)
    button(page, "delete the passport task").click().run()
    assert page.text_input(key="text").value == "delete the passport task"
    assert "Would delete #10 “Renew passport”, after a yes" in html(page)


def test_a_link_opens_its_message_with_the_persons_own_tasks(workbench: Database) -> None:
    page = open_page(text="mark the passport one as done")
    assert "Will complete #10 “Renew passport”" in html(page)
    assert "Reason code: matched_rule" in words(page)
    assert "your own" in words(page)
    assert len(page.get("plotly_chart")) == 2


def test_every_step_is_there(workbench: Database) -> None:
    page = open_page(text="remind me to call Anna next Friday")
    said = words(page)
    for step in ("What the words say", "Which intent", "Values in the words", "Which task", "Is the call sound"):
        assert step in said
    for step in ("How sure", "So", "What would flip it", "The LLM on the same message"):
        assert f"· {step}" in said
    assert "“Add a task” leads" in said
    assert "**add_task** has all it needs" in said
    assert "without “remind”" in said


def test_charts_are_told_in_words_too(workbench: Database) -> None:
    page = open_page(text="delete the passport task")
    alts = [chart.proto.alt for chart in page.get("plotly_chart")]
    assert alts[0].startswith("Scores of the intents: Delete a task")
    assert "together 0.9" in alts[1]


def test_losing_candidates_stay_with_the_reason(workbench: Database) -> None:
    with workbench.write() as session:
        TaskService(session, person(workbench), here).create("Renew passport photo")
    said = words(open_page(text="delete the passport"))
    assert "Renew passport photo" in said
    assert "undecided" in said or "lost" in said


def test_a_message_with_two_requests_shows_each(workbench: Database) -> None:
    page = open_page(text="add a task to buy stamps and show me my tasks")
    assert "“Add a task” leads" in words(page)
    next(each for each in page.segmented_control if each.label == "Request").set_value(1).run()
    assert "“List tasks” leads" in words(page)


@pytest.mark.parametrize("text", ["?!", "x" * 10_000, "ciao", "<b>delete</b> *it* [x](y) :smile: $x$"])
def test_any_text_can_be_looked_at(workbench: Database, text: str) -> None:
    page = open_page(text=text)
    assert "only replies" in html(page) or "has to ask first" in html(page)
    assert "<b>delete" not in html(page)


def test_a_message_of_several_lines_keeps_them(workbench: Database) -> None:
    page = open_page(text="delete\nthe passport task")
    assert page.text_area(key="text").value == "delete\nthe passport task"
    assert "after a yes" in html(page)


def test_a_turn_that_does_not_exist_is_told_and_the_page_works(workbench: Database) -> None:
    page = open_page(turn="no-such-turn")
    assert "There is no turn “no\\-such\\-turn” of yours" in page.warning[0].value
    assert "after a yes" in html(say(page, "delete the passport task"))


def test_a_turn_opens_with_its_message_and_its_context(workbench: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    wire = {**WIRE, "pending": pending_of("delete the dentist task")}
    monkeypatch.setattr("ui.inspect_context.find_turn_input", lambda user, turn_id: InspectInput("yes", wire))
    page = open_page(turn="t1")
    assert page.text_input(key="text").value == "yes"
    assert "Will delete #1 “Call the dentist”" in html(page)
    assert "No weight had a say" in words(page)
    assert "the turn’s" in words(page)
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
    assert "due date 2030-05-02" in html(page)
    assert "edited" in words(page)
    field(page, "Now").set_value("soon").run()
    assert "ISO time" in page.error[0].value
    assert "due date 2030-05-02" in html(page)
    field(page, "Language").set_value("it").run()
    assert "Policy it" in words(page)
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


def test_a_case_is_saved_listed_kept_once_and_removed(workbench: Database, tmp_path: Path) -> None:
    maya = person(workbench)
    page = open_page(text="delete the passport task")
    field(page, "Now").set_value("2026-03-04T10:00:00").run()
    for told in ("Saved as a case", "saved already"):
        button(page, "This is wrong…").click().run()
        assert button(page, "Save case").disabled
        page.get("button_group")[0].set_value("complete_task").run()
        button(page, "Save case").click().run()
        assert told in page.success[0].value
    with workbench.read() as session:
        (case,) = list_cases(session, maya.id)
    assert case.text == "delete the passport task"
    assert case.expected["intent"] == "complete_task"
    assert case.context["now"] == "2026-03-04T10:00:00"
    assert "should be **Complete a task**" in words(page)
    (tmp_path / "saved.yaml").write_text(_export(maya), encoding="utf-8")
    (loaded,) = load_cases(tmp_path / "saved.yaml")
    assert loaded.turns[0].intent == ("complete_task",)
    page.button(key=f"remove-{case.id}").click().run()
    assert "None yet" in words(page)


def test_the_correction_can_be_called_off(workbench: Database) -> None:
    page = open_page(text="hello")
    button(page, "This is wrong…").click().run()
    button(page, "Cancel").click().run()
    assert [each.label for each in page.button if each.label == "Save case"] == []


def test_what_is_copied_is_ready(workbench: Database) -> None:
    page = open_page(text="don't delete it")
    copied = [code.value for code in page.code]
    assert any(code.startswith("- id: saved-don-t-delete-it-") for code in copied)
    assert any(code.startswith("printf '%s\\n' '{\"text\": ") and "python -m engine decide" in code for code in copied)
