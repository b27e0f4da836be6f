"""The Evaluate page in a real browser: a run from its start to the report, clicks down to a message, keys, sizes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from db.evaluation.runs import list_runs, mark_baseline
from evals.evaluate.own_files import read_own_file
from evals.evaluate.room import begin_run
from evals.evaluate.specs import DeciderSpec
from tests.assistant.conftest import calls
from tests.browser.conftest import (
    NewTab,
    OpenPage,
    as_somebody,
    press_shortcut,
    show,
    wait_until_drawn,
    wait_until_same,
)
from tests.llm.fault_server import hang, serve
from tests.workbench import Somebody, Workbench

PATIENT = 120_000
LINES = (
    {"text": "add a task to buy tea", "tool": "add_task", "tags": ["shop"]},
    {"text": "show my tasks", "tool": "delete_task"},
    {"text": "who am i", "tool": "delete_task"},
    {"text": "add a task to " + "averyveryverylongword" * 8, "tool": None},
)

HEADS_ARE_APART = """() => {
    const heads = [...document.querySelectorAll('.st-key-confusion .xtick text')];
    const boxes = heads.map(head => head.getBoundingClientRect());
    return boxes.length > 1 && boxes.every((box, place) => !place || boxes[place - 1].right <= box.left);
}"""
PLAIN = tuple(
    {"text": f"{say} {what}", "tool": "add_task", "action": "execute"}
    for say in ("add a task to", "remind me to")
    for what in ("buy tea", "call the vet", "water the plants", "pay the rent")
)


def write_file(folder: Path, lines: tuple[dict[str, object], ...] = LINES) -> Path:
    path = folder / "own.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def keep_run(
    somebody: Somebody, *specs: DeciderSpec, name: str = "Mine", lines: tuple[dict[str, object], ...] = LINES
) -> None:
    """A finished run of this person's, over a few lines of their own."""
    content = "".join(json.dumps(line) + "\n" for line in lines)
    database = somebody.workbench.database
    begun = begin_run(database, somebody.id, read_own_file(content, "own.jsonl"), specs, name=name)
    begun.work.run()
    begun.work.finish("done")


def click_cell(page: Page, meant: str, came: str) -> None:
    """A square of the matrix: with the mouse itself, for plotly lays a pane over its marks."""
    squares = page.locator(".st-key-confusion .scatterlayer .point")
    expect(squares.first).to_be_visible(timeout=PATIENT)
    wait_until_drawn(page)
    told = page.locator(".st-key-confusion .js-plotly-plot").evaluate("plot => plot.data[0].customdata.map(d => d[2])")
    place = next(place for place, words in enumerate(told) if words.endswith(f"meant: {meant}<br>came: {came}"))
    squares.nth(place).scroll_into_view_if_needed()
    box = squares.nth(place).bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.click(box["x"] + 20, box["y"] + 20)


@pytest.mark.thorough("tests/pages/test_evaluate.py::test_a_run_is_started_narrowed_and_shown_with_its_intervals")
def test_all_our_cases_run_through_engine_and_baseline_by_one_press(open_page: OpenPage) -> None:
    page = open_page("/evaluate")
    page.get_by_role("button", name=re.compile(r"Run 1,\d+ cases")).click()
    expect(page.get_by_text(re.compile(r"Engine is right on 9\d\.\d% of 1,\d+ cases"))).to_be_visible(timeout=PATIENT)
    expect(page.get_by_text(re.compile(r"Baseline is right on [12]\d\.\d% of 1,\d+ cases"))).to_be_visible()


def test_a_cell_leads_to_a_message_and_on_to_inspect_and_a_phone_shows_each_for_itself(
    settled: Somebody, open_page: OpenPage
) -> None:
    page = open_page("/evaluate?view=confusion", 390, 844)
    expect(page.locator(".st-key-confusion .scatterlayer .point").first).to_be_visible(timeout=PATIENT)
    wait_until_same(page, HEADS_ARE_APART, True)
    page.set_viewport_size({"width": 1440, "height": 900})
    click_cell(page, "Add a task", "Asks back")
    expect(page.get_by_role("button", name="Meant “Add a task”, came “Asks back”")).to_be_visible()
    assert "meant=add_task" in page.url
    first = page.locator(".te-messages tbody tr").first
    said = first.locator(".tc-message > div").inner_text()
    first.get_by_role("link", name="Inspect").click()
    expect(page.get_by_role("textbox", name="Message")).to_have_value(said)
    expect(page.get_by_text("as the case has it")).to_be_visible()


@pytest.fixture
def settled(maya: Somebody) -> Somebody:
    """A baseline, and a run that asks about everything: it breaks what the other one did."""
    keep_run(maya, DeciderSpec("engine", "Engine"), name="Before", lines=PLAIN)
    with maya.workbench.database.write() as session:
        (before,) = list_runs(session, maya.id)
        mark_baseline(session, maya.id, before.id, is_baseline=True)
    keep_run(maya, DeciderSpec("engine", "Engine", thresholds={"act": 1.0}), name="Asks first", lines=PLAIN)
    return maya


def test_a_field_whose_code_comes_late_starts_with_what_is_chosen(
    settled: Somebody, new_tab: NewTab, workbench: Workbench
) -> None:
    """On a busy machine a click came first, the field "You are" began with another person, and Run was theirs."""
    page, held = new_tab(), list[Route]()
    page.route(re.compile(r"/Selectbox\.[^/]*\.js"), lambda route: held.append(route))
    show(page, workbench.url + as_somebody("/evaluate", settled.handle))
    page.get_by_role("button", name="Make baseline").click()
    expect(page.get_by_role("button", name="Is the baseline")).to_be_visible()
    wait_until_drawn(page)
    for route in held:
        route.continue_()
    expect(page.get_by_role("combobox", name=re.compile("You are"))).to_be_visible()
    page.get_by_role("button", name="Is the baseline").click()
    expect(page.get_by_role("button", name="Make baseline")).to_be_visible()
    assert f"user={settled.handle}" in page.url


def test_what_broke_is_shown_against_the_baseline_and_the_report_opens_offline(
    settled: Somebody, open_page: OpenPage, new_tab: NewTab, tmp_path: Path
) -> None:
    page = open_page("/evaluate?view=against")
    broken = page.get_by_text(re.compile(r"✕ Broken [1-9]"))
    expect(broken).to_be_visible()
    expect(page.get_by_text(re.compile(r"✓ Fixed 0"))).to_be_visible()
    expect(page.locator(".te-messages tbody tr")).to_have_count(int(re.sub(r"\D", "", broken.inner_text())))
    wait_until_drawn(page)
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="One page (HTML)").click()
    saved = tmp_path / "report.html"
    download.value.save_as(saved)
    alone = new_tab()
    alone.context.set_offline(True)
    asked: list[str] = []
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(saved.as_uri())
    expect(alone.get_by_role("heading", level=1)).to_be_visible()
    expect(alone.get_by_text("Asks first").first).to_be_visible()
    assert asked == [saved.as_uri()]
    alone.context.set_offline(False)


@pytest.mark.thorough("tests/pages/test_evaluate.py::test_a_cancelled_run_says_how_far_it_came")
def test_a_slow_run_tells_its_progress_survives_a_reload_and_is_cancelled(open_page: OpenPage, maya: Somebody) -> None:
    with serve(*[calls("list_tasks")] * 8, hang) as server:
        page = open_page("/evaluate")
        page.get_by_role("button", name="Add a model").click()
        page.get_by_role("textbox", name="Address").fill(server.url)
        page.get_by_role("textbox", name="Model").fill("slow")
        page.get_by_role("textbox", name="Key").fill("sk-secret-of-this-test-only")
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.get_by_text("takes part")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("textbox", name="Address")).to_be_hidden()  # else the next click only closes the menu
        wait_until_drawn(page)
        page.get_by_role("button", name=re.compile(r"Run 1,\d+ cases")).click()
        told = page.get_by_text(re.compile(r"[1-9]\d* of 3,\d+ answers, .* left"))
        expect(told).to_be_visible(timeout=PATIENT)
        page.reload()
        expect(told).to_be_visible(timeout=PATIENT)
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_text(re.compile(r"This run was cancelled\. \d+ of 3,\d+ answers are here"))).to_be_visible(
            timeout=PATIENT
        )
    assert "sk-secret" not in page.content()
    with maya.workbench.database.read() as session:
        (run,) = list_runs(session, maya.id)
    assert "sk-secret" not in json.dumps([dict(each) for each in run.deciders])


@pytest.mark.thorough("tests/pages/test_evaluate.py::test_own_lines_are_used_and_bad_ones_told_by_their_number")
def test_a_file_of_ones_own_is_run_and_bad_lines_are_told(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/evaluate")
    page.get_by_role("combobox", name=re.compile("Cases")).click()
    page.get_by_role("option", name="A file of your own").click()
    page.keyboard.press("Escape")
    path = write_file(tmp_path)
    path.write_text(path.read_text(encoding="utf-8") + "broken\n", encoding="utf-8")
    page.locator("input[type=file]").first.set_input_files(path)
    expect(page.get_by_text("line 5: ")).to_be_visible()


@pytest.fixture
def doubted(maya: Somebody) -> Somebody:
    keep_run(maya, DeciderSpec("engine", "Engine"), DeciderSpec("engine", "Engine again"))
    return maya


def test_labels_in_doubt_are_settled_by_keyboard(doubted: Somebody, open_page: OpenPage) -> None:
    page = open_page("/evaluate?view=labels")
    expect(page.get_by_text(re.compile(r"0 of \d settled"))).to_be_visible()
    wait_until_drawn(page)
    said = page.locator(".te-said").inner_text()
    # A key does nothing before its button is there, which is drawn last.
    expect(page.get_by_role("button", name=re.compile("Cannot be told"))).to_be_visible()
    press_shortcut(page, "1")
    expect(page.get_by_text(re.compile(r"1 of \d settled"))).to_be_visible()
    expect(page.locator(".te-said")).not_to_have_text(said)
    wait_until_drawn(page)
    press_shortcut(page, "u")
    expect(page.get_by_text(re.compile(r"0 of \d settled"))).to_be_visible()
    expect(page.locator(".te-said")).to_have_text(said)
