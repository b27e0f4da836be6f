"""The Tasks page in a real browser, against the running workbench."""

from __future__ import annotations

import csv
import re
import sqlite3
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import text

from tests.browser.conftest import OpenPage, Workbench, running_workbench
from tests.browser.task_grid import TaskGrid


def click_button(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).first.click()


def test_a_deep_link_works_first_thing_on_a_cold_server(tmp_path: Path, browser: Browser) -> None:
    with running_workbench(tmp_path) as workbench:
        page = browser.new_page()
        page.goto(f"{workbench.url}/tasks?user=jonas")
        expect(page.get_by_role("heading", name="Tasks")).to_be_visible(timeout=30_000)
        expect(page.get_by_text("Page not found")).to_have_count(0)
        expect(page.get_by_alt_text("Logo").first).to_be_visible()  # the frame ran, not the page alone
        assert "Pay the rent" in TaskGrid(page).titles()
        page.close()


def test_the_bare_address_leads_to_the_chat(open_page: OpenPage) -> None:
    page = open_page("/?user=jonas")
    expect(page).to_have_url(re.compile("/chat.*user=jonas"))
    expect(page.locator(".tl-tasks")).to_contain_text("Pay the rent")


def test_a_task_is_added_by_keyboard(open_page: OpenPage, workbench: Workbench) -> None:
    page = open_page()
    TaskGrid(page).titles()
    page.keyboard.press("n")
    page.get_by_role("dialog").get_by_label("Title").fill("Buy <b>bread</b> & *butter*")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stAlert")).to_contain_text("Buy <b>bread</b> & *butter*")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "Buy <b>bread</b> & *butter*" in [task.title for task in workbench.tasks("maya")]
    assert TaskGrid(page).row_of("Buy <b>bread</b> & *butter*") >= 0


def test_an_empty_title_is_refused_in_the_dialog(open_page: OpenPage, workbench: Workbench) -> None:
    before = workbench.tasks("maya")
    page = open_page()
    click_button(page, "Add task")
    page.get_by_role("dialog").get_by_role("button", name="Add task").click()
    expect(page.get_by_role("dialog").get_by_test_id("stAlert")).to_contain_text("Title must not be empty")
    assert workbench.tasks("maya") == before


def test_a_title_is_edited_in_place_and_the_edit_undone(open_page: OpenPage, workbench: Workbench) -> None:
    page = open_page()
    grid = TaskGrid(page)
    row = grid.row_of("Renew passport")
    grid.type_into(row, "title", "Renew my passport")
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    expect(grid.cell(row, "title")).to_have_text("Renew my passport")
    assert "Renew my passport" in [task.title for task in workbench.tasks("maya")]
    click_button(page, "Undo")
    expect(page.get_by_test_id("stAlert")).to_contain_text("Undone")
    assert "Renew passport" in [task.title for task in workbench.tasks("maya")]
    assert grid.row_of("Renew passport") == row


def test_rows_keep_their_places_while_one_edits(open_page: OpenPage, workbench: Workbench) -> None:
    page = open_page()
    grid = TaskGrid(page)
    before = grid.titles()
    grid.click(2, "done")
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    expect(page.get_by_role("radio", name="Done 5")).to_be_visible()
    assert grid.titles() == before
    assert [task.title for task in workbench.tasks("maya", filter="completed") if task.title == before[2]]


def test_deleting_asks_first_and_can_be_undone(open_page: OpenPage, workbench: Workbench) -> None:
    page = open_page()
    grid = TaskGrid(page)
    before = workbench.tasks("maya")
    first, second = grid.titles()[:2]
    grid.click(0, "pick")
    grid.click(1, "pick")
    click_button(page, "Delete 2…")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(first)
    expect(dialog).to_contain_text(second)
    dialog.get_by_role("button", name="Keep").click()
    expect(dialog).to_have_count(0)
    assert workbench.tasks("maya") == before
    click_button(page, "Delete 2…")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_test_id("stAlert")).to_contain_text("Deleted 2 tasks")
    assert len(workbench.tasks("maya")) == len(before) - 2
    click_button(page, "Undo")
    expect(page.get_by_test_id("stAlert")).to_contain_text("Undone: 2 tasks deleted")
    assert workbench.tasks("maya") == before


def test_changes_made_elsewhere_appear_without_a_reload(open_page: OpenPage, workbench: Workbench) -> None:
    page = open_page()
    TaskGrid(page).titles()
    assert workbench.call("maya", "add_task", title="From somewhere else", due_date="2020-01-01").ok
    expect(page.get_by_role("radio", name="Overdue 4")).to_be_visible()
    assert TaskGrid(page).row_of("From somewhere else") == 0


def test_two_tabs_see_each_others_changes(open_page: OpenPage) -> None:
    first, second = open_page(), open_page()
    TaskGrid(second).titles()
    grid = TaskGrid(first)
    grid.type_into(grid.row_of("Buy oat milk"), "title", "Buy soy milk")
    assert TaskGrid(second).row_of("Buy soy milk") >= 0


def test_nobody_sees_anothers_tasks(open_page: OpenPage, workbench: Workbench) -> None:
    page = open_page()
    TaskGrid(page).titles()
    page.get_by_role("combobox", name="You are").click()
    page.get_by_role("option", name="Jonas Okafor").click()
    assert TaskGrid(page).row_of("Pay the rent") >= 0
    shown = set(TaskGrid(page).titles())
    assert shown == {task.title for task in workbench.tasks("jonas", filter="pending")}
    assert not shown & ({task.title for task in workbench.tasks("maya")} - {"Buy groceries"})
    page.reload()
    assert TaskGrid(page).row_of("Pay the rent") >= 0


def test_a_new_person_starts_with_an_empty_list(open_page: OpenPage) -> None:
    page = open_page()
    click_button(page, "Add a person")
    page.get_by_label("Name", exact=True).fill("Nina Grønland")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No tasks yet")).to_be_visible()
    expect(page).to_have_url(re.compile("user=nina-gr"))


def test_filters_and_search_survive_a_reload(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("radio", name="All 20").click()
    page.get_by_role("searchbox").fill("buy")
    grid = TaskGrid(page)
    expect(page.get_by_text("of 2", exact=False)).to_be_visible()
    expect(page).to_have_url(re.compile("(?=.*q=buy)(?=.*show=All)"))
    page.reload()
    expect(page.get_by_role("searchbox")).to_have_value("buy")
    assert sorted(grid.titles()) == ["Buy groceries", "Buy oat milk"]


def test_thousands_of_tasks_are_paged(open_page: OpenPage, workbench: Workbench) -> None:
    for number in range(60):
        workbench.call("jonas", "add_task", title=f"Many {number:02}")
    page = open_page("/tasks?user=jonas&q=many&order=title")
    grid = TaskGrid(page)
    assert grid.titles()[0] == "Many 00"
    page.get_by_role("button", name="Page 3").click()
    expect(grid.cell(0, "title")).to_have_text("Many 50")
    expect(page.get_by_text("51–60 of 60")).to_be_visible()


def test_a_file_is_imported_and_the_bad_row_named(open_page: OpenPage, workbench: Workbench, tmp_path: Path) -> None:
    upload = tmp_path / "tasks.csv"
    upload.write_text("title,priority,due_date\nFrom a file,high,2026-12-01\n,low,\n'=1+1,low,\n", encoding="utf-8")
    page = open_page()
    click_button(page, "Files…")
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(upload)
    expect(page.get_by_test_id("stDialog")).to_contain_text("line 3: Title must not be empty")
    page.get_by_role("button", name="Import 2 tasks").click()
    expect(page.get_by_test_id("stAlert")).to_contain_text("2 tasks added, 1 rows left out")
    assert {"From a file", "=1+1"} <= {task.title for task in workbench.tasks("maya")}


def test_an_export_holds_what_the_filters_show(open_page: OpenPage, workbench: Workbench) -> None:
    workbench.call("maya", "add_task", title="=HYPERLINK(1)", priority="low")
    page = open_page("/tasks?priority=low")
    TaskGrid(page).titles()
    click_button(page, "Files…")
    with page.expect_download() as download:
        click_button(page, "Export as CSV")
    rows = list(csv.DictReader(Path(download.value.path()).read_text(encoding="utf-8-sig").splitlines()))
    assert {row["title"] for row in rows} == {
        task.title.replace("=HYPERLINK", "'=HYPERLINK")
        for task in workbench.tasks("maya", filter="pending", priority="low")
    }


def test_health_says_whether_the_store_can_be_written(workbench: Workbench) -> None:
    with urllib.request.urlopen(f"{workbench.url}/health") as answer:
        assert answer.read() == b'{"status":"ok","database":"ok"}'
    path = str(workbench.database.url).removeprefix("sqlite:///")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{workbench.url}/health")
        assert refused.value.code == 503
        assert b"busy" in refused.value.read()
    finally:
        other.execute("ROLLBACK")
        other.close()


def test_a_locked_store_is_said_in_a_sentence_and_nothing_is_lost(open_page: OpenPage, workbench: Workbench) -> None:
    page = open_page()
    grid = TaskGrid(page)
    row = grid.row_of("Renew passport")
    other = sqlite3.connect(str(workbench.database.url).removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    grid.type_into(row, "title", "Too late")
    expect(page.get_by_test_id("stAlert")).to_contain_text("The database is busy; nothing was changed")
    other.execute("ROLLBACK")
    other.close()
    assert "Renew passport" in [task.title for task in workbench.tasks("maya")]
    assert grid.row_of("Renew passport") == row


def test_a_newer_database_is_refused_in_a_sentence(tmp_path: Path, browser: Browser) -> None:
    with running_workbench(tmp_path) as workbench, workbench.database.write() as session:
        session.connection().execute(
            text("INSERT INTO schema_version VALUES (999, 'from the future', CURRENT_TIMESTAMP)")
        )
    with running_workbench(tmp_path, healthy=False) as workbench:
        page = browser.new_page()
        page.goto(f"{workbench.url}/tasks")
        expect(page.get_by_test_id("stAlert")).to_contain_text("Update Twolane", timeout=30_000)
        expect(page.get_by_text("Traceback")).to_have_count(0)
        page.close()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
def test_nothing_runs_out_of_the_window(open_page: OpenPage, width: int, height: int) -> None:
    page = open_page(width=width, height=height)
    TaskGrid(page).titles()
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0
