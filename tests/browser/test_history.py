"""The History page in a real browser: links, the queue by keyboard, a click on a chart, and a replay after somebody
edited a policy file of a running server."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import text

from tests.assistant.conftest import says
from tests.browser.conftest import ROOT, OpenPage, Workbench, running_workbench
from tests.pages.test_history import converse

PATIENT = 60_000
LEFT_BEHIND = {"tests", "training", "docs", "data", "benchmarks", "cases"}
TEXTS = ("mark the passport task as done", "who am i", "hello there", "delete the dentist task")
DISPUTED = ("show my tasks", "who am i", "add a task to buy tea")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project without its tests: a test may edit it."""
    folder = tmp_path_factory.mktemp("copy")
    for part in ROOT.iterdir():
        if part.name == ".streamlit" or not (part.name.startswith(".") or part.name in LEFT_BEHIND):
            copy_one = shutil.copytree if part.is_dir() else shutil.copy
            copy_one(part, folder / part.name)
    return folder


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory, copy: Path) -> Iterator[Workbench]:
    with running_workbench(tmp_path_factory.mktemp("history"), root=copy) as workbench:
        converse(workbench.database, TEXTS)
        disagree(workbench)
        yield workbench


def disagree(workbench: Workbench) -> None:
    """Three disagreements of Jonas, the first of them two days ago."""
    answers = [says("Hm.")] * len(DISPUTED)
    with ThreadPoolExecutor() as elsewhere:  # Playwright's loop runs in this thread, and the LLM's client needs its own
        turn, *_ = elsewhere.submit(converse, workbench.database, DISPUTED, *answers, handle="jonas").result()
    with workbench.database.write() as session:
        earlier = text("UPDATE turns SET created_at = datetime(created_at, '-2 days') WHERE id = :id")
        session.connection().execute(earlier, {"id": turn})


def replay(page: Page, count: str) -> None:
    button = page.get_by_role("button", name=f"Replay {count}")
    expect(button).to_be_enabled(timeout=PATIENT)
    button.click()


def test_a_turn_opens_its_card_and_inspect(open_page: OpenPage) -> None:
    page = open_page("/history?q=dentist")
    expect(page.get_by_text("1–1 of 1")).to_be_visible(timeout=PATIENT)
    page.locator(".tl-fold summary").click()
    expect(page.get_by_role("region", name="Engine")).to_contain_text("delete_task")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Inspect this turn").click()
    other = opened.value
    expect(other.get_by_role("heading", level=2)).to_contain_text("after a yes", timeout=PATIENT)
    expect(other.get_by_text("as it was in that turn")).to_be_visible()


def test_a_replay_finds_what_changes_when_a_policy_file_is_edited(open_page: OpenPage, copy: Path) -> None:
    page = open_page("/history")
    replay(page, "4 turns")
    expect(page.get_by_text("0 would be decided otherwise")).to_be_visible(timeout=PATIENT)
    policy = copy / "domains" / "tasks" / "en" / "language.yaml"
    before = policy.read_text(encoding="utf-8")
    policy.write_text(before.replace("  act: 0.7", "  act: 1.0"), encoding="utf-8")
    try:
        replay(page, "4 turns")
        expect(page.get_by_text("2 would be decided otherwise")).to_be_visible(timeout=PATIENT)
        expect(page.get_by_text("Would no longer act 2")).to_be_visible()
        expect(page.locator(".tc-lines tbody tr")).to_have_count(2)
        changed = page.locator(".tc-lines tbody tr").filter(has_text="passport")
        expect(changed.locator("td").nth(1)).to_contain_text("acts")
        expect(changed.locator("td").nth(2)).to_contain_text("not sure enough to act")
        with page.context.expect_page() as opened:
            changed.get_by_role("link", name="Inspect").click()
        # Inspect decides under the edited file, too: what the replay says can be looked into.
        expect(opened.value.get_by_role("heading", level=2)).to_contain_text("has to ask first", timeout=PATIENT)
    finally:
        policy.write_text(before, encoding="utf-8")


def shows(page: Page, message: str, progress: str) -> None:
    expect(page.locator(".tl-said")).to_contain_text(message, timeout=PATIENT)
    expect(page.get_by_text(progress)).to_be_visible(timeout=PATIENT)


def test_disagreements_are_judged_by_keyboard_and_taken_back(open_page: OpenPage) -> None:
    page = open_page("/history?view=review&user=jonas")
    shows(page, "add a task to buy tea", "0 of 3 reviewed")
    page.keyboard.press("1")
    expect(page.get_by_text("Engine right. Kept as a case.")).to_be_visible(timeout=PATIENT)
    page.keyboard.press("5")
    shows(page, "who am i", "1 of 3 reviewed")
    page.keyboard.press("u")
    shows(page, "add a task to buy tea", "0 of 3 reviewed")
    page.keyboard.press("2")  # the LLM's verdict is the one that was taken back
    expect(page.get_by_text("Engine wrong.")).to_be_visible(timeout=PATIENT)
    page.keyboard.press("5")
    expect(page.get_by_role("link", name="Say it on Inspect")).to_be_visible(timeout=PATIENT)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=PATIENT)
    with page.context.expect_page() as opened:
        page.keyboard.press("w")
    expect(opened.value.get_by_text("It should have been", exact=True)).to_be_visible(timeout=PATIENT)
    page.bring_to_front()
    page.keyboard.press("n")
    shows(page, "who am i", "1 of 3 reviewed")


def test_the_keys_of_the_queue_are_letters_in_a_field(open_page: OpenPage) -> None:
    page = open_page("/history?view=review&queue=all&user=jonas")
    expect(page.locator(".tl-said")).to_be_visible(timeout=PATIENT)
    before = page.get_by_text("of 3 reviewed").inner_text()
    page.get_by_placeholder("Search the messages").press_sequentially("14n")
    expect(page.get_by_text("Nothing fits")).to_be_visible(timeout=PATIENT)
    page.get_by_placeholder("Search the messages").fill("")
    expect(page.get_by_text(before)).to_be_visible(timeout=PATIENT)


def test_a_click_on_a_bar_filters_the_list(open_page: OpenPage) -> None:
    page = open_page("/history?user=jonas")
    expect(page.get_by_text("1–3 of 3")).to_be_visible(timeout=PATIENT)
    first = page.locator(".js-plotly-plot .bars .point path").first
    first.hover(force=True)
    expect(page.locator(".hoverlayer .hovertext")).to_contain_text("1 turn", timeout=PATIENT)
    first.click(force=True)
    expect(page.get_by_text("1–1 of 1")).to_be_visible(timeout=PATIENT)
    expect(page.locator(".tl-said")).to_contain_text("show my tasks")
    assert "period=" in page.url
    page.reload()
    expect(page.get_by_text("1–1 of 1")).to_be_visible(timeout=PATIENT)
    page.get_by_role("button", name=":00 – ").click()
    expect(page.get_by_text("1–3 of 3")).to_be_visible(timeout=PATIENT)
    expect(page).not_to_have_url(re.compile("period="))


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
def test_nothing_is_cut_off_sideways(open_page: OpenPage, width: int, height: int) -> None:
    page = open_page("/history", width=width, height=height)
    expect(page.locator(".tc-turns")).to_be_visible(timeout=PATIENT)
    page.locator(".tl-fold summary").first.click()
    fits = (
        "() => { const e = document.querySelector('[data-testid=stMain]'); return e.scrollWidth <= e.clientWidth + 1 }"
    )
    page.wait_for_function(fits)
