"""The Inspect page in a real browser: what only a browser shows."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from db.evaluation.cases import list_cases
from evals.cases import load_cases
from tests.browser.conftest import OpenPage, open_panel, wait_until_drawn
from tests.browser.grid import Grid
from tests.workbench import Somebody, Workbench

PATIENT = 60_000
"""The first chart of a session loads a large library, and test machines are busy."""
TITLES = 2
"""The column of the titles: behind the one that picks rows and the numbers."""


def verdict(page: Page) -> Locator:
    return page.get_by_role("heading", level=2)


def inspect(open_page: OpenPage, text: str, more: str = "", **size: int) -> Page:
    page = open_page(f"/inspect?text={quote(text)}{more}", **size)
    expect(verdict(page)).to_be_visible(timeout=PATIENT)
    return page


def message(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message")


def test_a_word_says_on_hover_and_by_keyboard_which_rule_it_fits(open_page: OpenPage) -> None:
    page = inspect(open_page, "mark the passport task as done")
    word = page.locator(".ti-word").first
    tip = word.get_by_role("tooltip", include_hidden=True)
    expect(tip).to_be_hidden()
    word.hover()
    expect(tip).to_be_visible()
    expect(tip).to_contain_text(re.compile(r"frame:complete\.mark, en/intents/complete_task\.yaml line \d+"))
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    word.focus()
    expect(tip).to_be_visible()


@pytest.mark.thorough("tests/pages/test_inspect.py::test_a_link_opens_its_message_with_the_persons_own_tasks")
def test_typing_changes_the_decision_and_the_address_which_opens_the_same_decision(
    open_page: OpenPage, workbench: Workbench
) -> None:
    first = open_page("/inspect")
    message(first).fill("delete the passport task")
    expect(verdict(first)).to_have_text("Would delete #10 “Renew passport”, after a yes", timeout=PATIENT)
    message(first).fill("mark the passport task as done")
    expect(verdict(first)).to_have_text("Will complete #10 “Renew passport”")
    expect(first).to_have_url(re.compile(r"text=mark(\+|%20)the(\+|%20)passport"))
    message(first).fill("remind me to thank Zoë & Tom for 5% more + a #tag")
    told = "Will add “thank Zoë & Tom for 5% more + a #tag”"
    expect(verdict(first)).to_have_text(told, timeout=PATIENT)
    expect(first).to_have_url(re.compile("text=remind.*tag"))
    second = open_page(first.url.removeprefix(workbench.url))
    expect(verdict(second)).to_have_text(told, timeout=PATIENT)


@pytest.mark.thorough(
    "tests/pages/test_inspect_context.py::test_another_now_and_another_language_run_the_decision_again"
)
def test_edits_of_the_context_change_the_decision_and_not_the_store_and_survive_a_look_at_another_page(
    open_page: OpenPage, maya: Somebody
) -> None:
    before = maya.tasks()
    page = inspect(open_page, "delete the harpsichord task")
    expect(verdict(page)).to_have_text("Would delete a task, but has to ask first")
    open_panel(page, "Edit the context")
    Grid(page).type_into(0, TITLES, "Tune the harpsichord")
    expect(verdict(page)).to_contain_text("“Tune the harpsichord”, after a yes")
    expect(page.get_by_text("Context, edited")).to_be_visible()
    page.get_by_role("button", name="Back to how it was").click()
    expect(verdict(page)).to_have_text("Would delete a task, but has to ask first")
    assert maya.tasks() == before

    message(page).fill("remind me to call Anna tomorrow")
    expect(verdict(page)).to_contain_text("Will add “call Anna”")
    wait_until_drawn(page)
    clock = page.get_by_role("textbox", name="Now")
    clock.fill("2030-05-01T09:00")
    clock.press("Enter")
    expect(verdict(page)).to_contain_text("due date Thu 2 May 2030")
    question = page.get_by_role("textbox", name="Waiting question (JSON)")
    question.fill('{"kind": "confirm"')
    question.press("Control+Enter")
    expect(page.get_by_test_id("stAlert")).to_contain_text("not valid JSON yet")
    page.get_by_role("link", name="Tasks").click()
    expect(page.get_by_role("heading", name="Tasks", level=1)).to_be_visible()
    page.get_by_role("link", name="Inspect").click()
    expect(verdict(page)).to_contain_text("due date Thu 2 May 2030", timeout=PATIENT)
    open_panel(page, "Edit the context")
    expect(page.get_by_role("textbox", name="Waiting question (JSON)")).to_have_value('{"kind": "confirm"')


def test_from_a_chat_turn_to_a_saved_case_in_four_clicks_and_its_export_runs(
    open_page: OpenPage, jonas: Somebody, tmp_path: Path
) -> None:
    chat = open_page(f"/chat?user={jonas.handle}")
    box = chat.get_by_test_id("stChatInputTextArea")
    expect(box).to_be_enabled(timeout=PATIENT)
    box.fill("delete the rent task")
    box.press("Enter")
    chat.get_by_role("link", name="Inspect this turn").last.click()
    page = chat  # in the same tab
    expect(verdict(page)).to_contain_text("“Pay the rent”, after a yes", timeout=PATIENT)
    expect(page.get_by_text("as it was in that turn")).to_be_visible()
    page.get_by_role("button", name="This is wrong…").click()
    wanted = page.get_by_role("button", name="Complete a task", exact=True)
    wanted.or_(page.get_by_role("radio", name="Complete a task", exact=True)).click()
    page.get_by_role("button", name="Save case").click()
    expect(page.get_by_test_id("stAlert")).to_contain_text("Saved as a case")
    expect(page.get_by_text("Saved cases (1)")).to_be_visible()
    with jonas.workbench.database.read() as session:
        (case,) = list_cases(session, jonas.id)
    assert (case.text, case.expected["intent"]) == ("delete the rent task", "complete_task")
    assert case.context["lookups"]
    with page.expect_download() as download:
        page.get_by_role("button", name="Export as a case file").click()
    saved = tmp_path / "saved.yaml"
    download.value.save_as(saved)
    (loaded,) = load_cases(saved)
    assert loaded.turns[0].intent == ("complete_task",)
