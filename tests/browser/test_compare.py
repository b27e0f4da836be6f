"""The Compare page in a real browser: long runs with progress and cancel, files, links, sizes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.assistant.conftest import calls
from tests.browser.conftest import OpenPage
from tests.llm.fault_server import hang, serve

PATIENT = 60_000
TEXTS = ("add a task to buy tea tomorrow", "complete the passport task", "what a lovely day", "show overdue tasks")


def upload(page: Page, path: Path, count: str) -> None:
    page.get_by_role("radio", name="File", exact=True).or_(page.get_by_role("button", name="File", exact=True)).click()
    page.locator("input[type=file]").first.set_input_files(path)
    expect(page.get_by_role("button", name=f"Compare {count} line")).to_be_enabled(timeout=PATIENT)


def start(page: Page, count: str) -> None:
    page.get_by_role("button", name=f"Compare {count} line").click()


def write_lines(path: Path, count: int) -> Path:
    path.write_text("".join(f"{TEXTS[place % 4]}\n" for place in range(count)), encoding="utf-8")
    return path


@pytest.mark.thorough("tests/evals/test_side_by_side.py::test_the_engine_alone_takes_a_thousand_lines_in_a_few_seconds")
def test_a_thousand_lines_run_in_the_background_and_are_paged(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/compare")
    upload(page, write_lines(tmp_path / "thousand.txt", 1000), "1,000")
    start(page, "1,000")
    expect(page.get_by_text("All 1,000")).to_be_visible(timeout=PATIENT)
    expect(page.get_by_text("1–25 of 1,000")).to_be_visible()
    expect(page.locator(".tc-lines tbody tr")).to_have_count(25)
    expect(page.locator(".tc-summary")).to_contain_text("of 1,000")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    saved = tmp_path / "all.csv"
    download.value.save_as(saved)
    assert len(saved.read_text(encoding="utf-8-sig").splitlines()) == 1001


@pytest.mark.thorough("tests/pages/test_compare.py::test_a_run_under_way_can_be_cancelled_and_keeps_what_is_finished")
def test_a_thousand_lines_show_how_far_they_are_and_end_when_cancelled(open_page: OpenPage, tmp_path: Path) -> None:
    answers = [calls("list_tasks")] * 60
    with serve(*answers, hang) as server:
        page = open_page("/compare")
        page.get_by_role("button", name="Add a model").click()
        page.get_by_role("textbox", name="Address").fill(server.url)
        page.get_by_role("textbox", name="Model").fill("slow")
        page.get_by_role("textbox", name="Key").fill("sk-secret-of-this-test-only")
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.get_by_text("takes part")).to_be_visible()
        page.keyboard.press("Escape")
        upload(page, write_lines(tmp_path / "slow.txt", 1000), "1,000")
        start(page, "1,000")
        expect(page.get_by_text(re.compile(r"[1-9]\d* of 3,000 answers, .* left"))).to_be_visible(timeout=PATIENT)
        expect(page.get_by_role("button", name="Compare 1,000 lines")).to_be_disabled()
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_text(re.compile(r"was cancelled\. \d+ of 1,000 lines are here"))).to_be_visible(
            timeout=PATIENT
        )
    expect(page.get_by_role("button", name="Compare 1,000 lines")).to_be_enabled()
    assert "sk-secret" not in page.content()


@pytest.mark.thorough("tests/pages/test_evaluate.py::test_a_case_opens_on_inspect_in_its_own_situation")
def test_a_line_opens_in_inspect_with_its_own_context(open_page: OpenPage, tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    tasks = [{"id": "z", "number": 99, "title": "Tune the harpsichord"}]
    path.write_text(
        json.dumps({"text": "delete the harpsichord task", "tasks": tasks}) + "\nbroken\n", encoding="utf-8"
    )
    page = open_page("/compare")
    upload(page, path, "1")
    expect(page.get_by_text("line 2: not valid JSON")).to_be_visible()
    start(page, "1")
    expect(page.locator(".tc-lines")).to_contain_text("#99 Tune the harpsichord", timeout=PATIENT)
    page.get_by_role("link", name="Inspect", exact=True).last.click()
    expect(page.get_by_role("heading", level=2)).to_have_text(
        "Would delete #99 “Tune the harpsichord”, after a yes", timeout=PATIENT
    )
    expect(page.get_by_text("as its line of the comparison gave it")).to_be_visible()


def test_what_was_typed_survives_a_look_at_another_page(open_page: OpenPage) -> None:
    page = open_page("/compare")
    box = page.get_by_role("textbox", name="One message a line")
    box.fill("who am i\nshow my tasks")
    box.press("Control+Enter")
    expect(page.get_by_role("button", name="Compare 2 lines")).to_be_visible()
    page.get_by_role("link", name="Tasks").click()
    expect(page.get_by_role("heading", name="Tasks", level=1)).to_be_visible()
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_role("button", name="Compare 2 lines")).to_be_visible(timeout=PATIENT)
    expect(page.get_by_role("textbox", name="One message a line")).to_have_value("who am i\nshow my tasks")
