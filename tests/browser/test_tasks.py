"""The Tasks page in a real browser, against the running workbench."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, press_shortcut, wait_until_drawn
from tests.browser.task_grid import TaskGrid
from tests.workbench import Somebody


def click_button(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).first.click()


def test_a_title_is_edited_in_place_and_the_edit_undone_and_rows_keep_their_places_while_one_edits(
    open_page: OpenPage, maya: Somebody
) -> None:
    """Also after a reload. Without one, the table still tells the server that its edits are empty again, half a second
    after the edit: Streamlit drops what a button pressed in that moment writes down, here the sentence "Undone"."""
    page = open_page()
    grid = TaskGrid(page)
    row = grid.row_of("Renew passport")
    grid.type_into(row, "title", "Renew my passport")
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    expect(grid.cell(row, "title")).to_have_text("Renew my passport")
    assert "Renew my passport" in [task.title for task in maya.tasks()]
    page.reload()
    assert grid.row_of("Renew my passport") == row
    wait_until_drawn(page)
    click_button(page, "Undo")
    expect(page.get_by_test_id("stAlert")).to_contain_text("Undone")
    assert "Renew passport" in [task.title for task in maya.tasks()]
    assert grid.row_of("Renew passport") == row
    wait_until_drawn(page)
    before = grid.titles()
    grid.click(2, "done")
    expect(page.get_by_role("radio", name="Done 5")).to_be_visible()
    wait_until_drawn(page)  # while it is drawn again, the table tells screen readers of no row
    assert grid.titles() == before
    assert [task.title for task in maya.tasks(filter="completed") if task.title == before[2]]


def test_deleting_asks_first_and_can_be_undone(open_page: OpenPage, maya: Somebody) -> None:
    page = open_page()
    grid = TaskGrid(page)
    before = maya.tasks()
    first, second = grid.titles()[:2]
    grid.click(0, "pick")
    grid.click(1, "pick")
    click_button(page, "Delete 2…")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(first)
    expect(dialog).to_contain_text(second)
    dialog.get_by_role("button", name="Keep").click()
    expect(dialog).to_have_count(0)
    assert maya.tasks() == before
    click_button(page, "Delete 2…")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_test_id("stAlert")).to_contain_text("Deleted 2 tasks")
    assert len(maya.tasks()) == len(before) - 2
    click_button(page, "Undo")
    expect(page.get_by_test_id("stAlert")).to_contain_text("Undone: 2 tasks deleted")
    assert maya.tasks() == before


@pytest.mark.thorough("tests/pages/test_tasks.py::test_search_priority_and_order_narrow_the_table")
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


@pytest.mark.thorough("tests/pages/test_tasks.py::test_thousands_of_tasks_are_shown_page_by_page")
def test_thousands_of_tasks_are_paged(open_page: OpenPage, jonas: Somebody) -> None:
    for number in range(60):
        jonas.call("add_task", title=f"Many {number:02}")
    page = open_page(f"/tasks?user={jonas.handle}&q=many&order=title")
    grid = TaskGrid(page)
    assert grid.titles()[0] == "Many 00"
    page.get_by_role("button", name="Page 3").click()
    expect(grid.cell(0, "title")).to_have_text("Many 50")
    expect(page.get_by_text("51–60 of 60")).to_be_visible()


@pytest.mark.thorough("tests/pages/test_tasks.py::test_add_task_opens_a_form")
def test_an_empty_title_is_refused_in_the_dialog_and_a_task_is_added_by_keyboard(
    open_page: OpenPage, maya: Somebody
) -> None:
    before = maya.tasks()
    page = open_page()
    TaskGrid(page).titles()
    press_shortcut(page, "n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Add task").click()
    expect(dialog.get_by_test_id("stAlert")).to_contain_text("Title must not be empty")
    assert maya.tasks() == before
    dialog.get_by_label("Title").fill("Buy <b>bread</b> & *butter*")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stAlert")).to_contain_text("Buy <b>bread</b> & *butter*")
    expect(dialog).to_have_count(0)
    assert "Buy <b>bread</b> & *butter*" in [task.title for task in maya.tasks()]
    assert TaskGrid(page).row_of("Buy <b>bread</b> & *butter*") >= 0


def test_two_tabs_see_each_others_changes_and_those_made_elsewhere_without_a_reload(
    open_page: OpenPage, maya: Somebody
) -> None:
    first, second = open_page(), open_page()
    TaskGrid(second).titles()
    grid = TaskGrid(first)
    grid.type_into(grid.row_of("Buy oat milk"), "title", "Buy soy milk")
    assert TaskGrid(second).row_of("Buy soy milk") >= 0
    assert maya.call("add_task", title="From somewhere else", due_date="2020-01-01").ok
    # Not the count of overdue tasks: more of the demo's tasks are overdue in the evening than in the morning.
    expect(second.get_by_role("radio", name="All 21")).to_be_visible(timeout=60_000)  # a busy machine polls late
    assert TaskGrid(second).row_of("From somewhere else") == 0


@pytest.mark.thorough("tests/pages/test_tasks.py::test_the_frame_switches_people_and_keeps_them_apart")
def test_nobody_sees_anothers_tasks_and_a_new_person_starts_with_an_empty_list(
    open_page: OpenPage, maya: Somebody, jonas: Somebody
) -> None:
    page = open_page()
    TaskGrid(page).titles()
    page.get_by_role("combobox", name="You are").fill(jonas.name)
    page.get_by_role("option", name=jonas.name).click()
    assert TaskGrid(page).row_of("Pay the rent") >= 0
    shown = set(TaskGrid(page).titles())
    assert shown == {task.title for task in jonas.tasks(filter="pending")}
    assert not shown & ({task.title for task in maya.tasks()} - {"Buy groceries"})
    page.reload()
    assert TaskGrid(page).row_of("Pay the rent") >= 0
    wait_until_drawn(page)
    click_button(page, "Add a person")
    page.get_by_label("Name", exact=True).fill("Nina Grønland")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No tasks yet")).to_be_visible()
    expect(page).to_have_url(re.compile("user=nina-gr"))


def test_an_export_holds_what_the_filters_show_and_a_file_is_imported_and_its_bad_row_named(
    open_page: OpenPage, maya: Somebody, tmp_path: Path
) -> None:
    maya.call("add_task", title="=HYPERLINK(1)", priority="low")
    page = open_page("/tasks?priority=low")
    TaskGrid(page).titles()
    click_button(page, "Files…")
    with page.expect_download() as download:
        click_button(page, "Export as CSV")
    rows = list(csv.DictReader(Path(download.value.path()).read_text(encoding="utf-8-sig").splitlines()))
    assert {row["title"] for row in rows} == {
        task.title.replace("=HYPERLINK", "'=HYPERLINK") for task in maya.tasks(filter="pending", priority="low")
    }
    upload = tmp_path / "tasks.csv"
    upload.write_text("title,priority,due_date\nFrom a file,high,2026-12-01\n,low,\n'=1+1,low,\n", encoding="utf-8")
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(upload)
    expect(page.get_by_test_id("stDialog")).to_contain_text("line 3: Title must not be empty")
    page.get_by_role("button", name="Import 2 tasks").click()
    expect(page.get_by_test_id("stAlert")).to_contain_text("2 tasks added, 1 row left out")
    assert {"From a file", "=1+1"} <= {task.title for task in maya.tasks()}
