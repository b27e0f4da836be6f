"""The Inspect page in every state, run by Streamlit's own test runner."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from db.connection import Database
from db.evaluation.cases import list_cases
from db.tasks.service import TaskService
from domains.deciders import make_engine
from engine.border.json_form import to_json
from evals.cases import load_cases
from tests.pages.opening import open_at
from tests.pages.test_tasks import here, person
from ui.given.message import make_context
from ui.inspect.saved import _export

ROOT = Path(__file__).parent.parent.parent
TASKS = [{"id": "a", "number": 1, "title": "Call the dentist"}, {"id": "b", "number": 2, "title": "Buy milk"}]
WIRE: dict[str, Any] = {"tasks": TASKS, "history": [], "pending": None, "now": "2026-03-04T10:00:00", "lang": "en"}


def open_page(**address: str) -> AppTest:
    return open_at("inspect", address, 60)


def say(page: AppTest, text: str) -> AppTest:
    page.text_input(key="text").set_value(text).run()
    assert not page.exception
    return page


def html(page: AppTest) -> str:
    return "\n".join(element.proto.body for element in page.get("html"))


def words(page: AppTest) -> str:
    """What can be read, tables among it."""
    return "\n".join([*(element.value for kind in (page.markdown, page.caption) for element in kind), html(page)])


def field(page: AppTest, label: str) -> Any:
    fields = [*page.text_input, *page.text_area, *page.selectbox]
    return next(each for each in fields if each.label == label)


def button(page: AppTest, label: str) -> Any:
    return next(each for each in page.button if each.label == label)


def pending_of(text: str) -> dict[str, Any]:
    pending = make_engine().decide(text, make_context(WIRE)).pending
    assert pending
    return to_json(pending)


def test_without_a_message_examples_are_offered(workbench: Database) -> None:
    page = open_page()
    assert "Any message will do" in words(page)
    button(page, "delete the passport task").click().run()
    assert page.text_input(key="text").value == "delete the passport task"
    assert "Would delete #10 “Renew passport”, after a yes" in html(page)


def test_a_link_opens_its_message_with_the_persons_own_tasks(workbench: Database) -> None:
    page = open_page(text="mark the passport one as done")
    assert "Will complete #10 “Renew passport”" in html(page)
    assert "execute, matched_rule" in html(page)
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
    assert "**Add a task** has all it needs" in said
    assert "without “remind”" in html(page)


def test_charts_are_told_in_words_too(workbench: Database) -> None:
    page = open_page(text="delete the passport task")
    alts = [chart.proto.alt for chart in page.get("plotly_chart")]
    assert alts[0].startswith("Scores of the intents: Delete a task")
    assert "together 0.9" in alts[1]


def test_losing_candidates_stay_with_the_reason(workbench: Database) -> None:
    with workbench.write() as session:
        TaskService(session, person(workbench), here).create("Renew passport photo")
    said = html(open_page(text="delete the passport"))
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
        assert "it fails today" in page.success[0].value
        assert "“Delete a task”, expected “Complete a task”" in page.success[0].value
    assert "0 pass today, 1 does not." in words(page)
    assert "**fails today**" in words(page)
    with workbench.read() as session:
        (case,) = list_cases(session, maya.id)
    assert case.text == "delete the passport task"
    assert case.expected["intent"] == "complete_task"
    assert case.context["now"] == "2026-03-04T10:00:00"
    assert "should be **Complete a task**" in words(page)
    (tmp_path / "saved.yaml").write_text(_export(maya, "tasks"), encoding="utf-8")
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
