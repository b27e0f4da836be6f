"""The Tasks page, run by Streamlit's own test runner."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.tasks.listing import TaskQuery
from db.tasks.service import TaskService
from db.users import User, create_user, find_user
from engine.values import Task, make_call
from settings import load_settings

ROOT = Path(__file__).parent.parent.parent


def here() -> datetime:
    return datetime.now().astimezone()


def person(database: Database, handle: str = "maya") -> User:
    with database.read() as session:
        user = find_user(session, handle)
    assert user
    return user


def stored(database: Database, handle: str = "maya", **query: object) -> tuple[Task, ...]:
    with database.read() as session:
        service = TaskService(session, person(database, handle), here)
        return service.find_all(TaskQuery(**query))  # type: ignore[arg-type]


def open_page() -> AppTest:
    page = AppTest.from_file(str(ROOT / "pages" / "tasks.py"), default_timeout=30).run()
    assert not page.exception
    return page


def shown(page: AppTest) -> list[str]:
    return list(page.dataframe[0].value["title"]) if page.dataframe else []


def button(page: AppTest, label: str) -> object:
    return next(widget for widget in page.button if widget.label == label)


def test_the_page_shows_open_tasks_by_due_date(workbench: Database) -> None:
    page = open_page()
    assert shown(page) == [task.title for task in stored(workbench, filter="pending")]
    assert page.segmented_control(key="show").value == "Open"


@pytest.mark.parametrize(
    ("view", "query"),
    [
        ("Overdue", {"filter": "overdue"}),
        ("Today", {"filter": "pending", "due": "today"}),
        ("This week", {"filter": "pending", "due": "this_week"}),
        ("Done", {"filter": "completed"}),
        ("All", {}),
    ],
)
def test_each_view_shows_what_it_says(workbench: Database, view: str, query: dict[str, str]) -> None:
    page = open_page()
    page.segmented_control(key="show").set_value(view).run()
    assert shown(page) == [task.title for task in stored(workbench, **query)]


def test_search_priority_and_order_narrow_the_table(workbench: Database) -> None:
    page = open_page()
    page.text_input(key="q").set_value("buy").run()
    assert set(shown(page)) == {"Buy groceries", "Buy oat milk"}
    page.selectbox(key="priority").set_value("low").run()
    assert shown(page) == ["Buy oat milk"]
    page.text_input(key="q").set_value("").run()
    page.selectbox(key="priority").set_value("any").run()
    page.selectbox(key="order").set_value("title").run()
    assert shown(page) == [task.title for task in stored(workbench, filter="pending", order="title")]


def test_a_search_without_a_hit_says_so(workbench: Database) -> None:
    page = open_page()
    page.text_input(key="q").set_value("zzzz").run()
    assert "Nothing fits" in page.markdown[0].value
    assert not page.exception


def test_thousands_of_tasks_are_shown_page_by_page(workbench: Database) -> None:
    with workbench.write() as session:
        service = TaskService(session, person(workbench), here)
        for number in range(300):
            service.create(f"Many {number:03}")
    page = open_page()
    page.text_input(key="q").set_value("many").run()
    page.selectbox(key="order").set_value("title").run()
    assert shown(page) == [f"Many {number:03}" for number in range(25)]
    page.selectbox(key="rows").set_value(100).run()
    assert len(shown(page)) == 100
    assert page.caption[0].value == "1–100 of 300"


def test_add_task_opens_a_form(workbench: Database) -> None:
    page = open_page()
    button(page, "Add task").click().run()
    # What the form does is for the browser tests: the runner here does not run dialogs on their own.
    assert [field.label for field in page.text_input] == ["Search", "Title"]
    assert page.text_area[0].label == "Description"


def test_undo_and_redo_take_the_last_change_back_and_forth(workbench: Database) -> None:
    maya = person(workbench)
    Executor(workbench, maya, here).execute(
        make_call("complete_task", {"task_identifier": "Renew passport"}, "person"), Origin("engine")
    )
    page = open_page()
    assert "Renew passport" not in shown(page)
    button(page, "Undo").click().run()
    assert "Renew passport" in shown(page)
    assert "Undone" in page.success[0].value
    button(page, "Redo").click().run()
    assert "Renew passport" not in shown(page)


def test_an_empty_list_offers_the_demo_tasks(workbench: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with workbench.write() as session:
        create_user(session, "Nina")
    monkeypatch.setenv("DEFAULT_USER", "nina")
    load_settings.cache_clear()
    page = open_page()
    assert "No tasks yet" in page.markdown[0].value
    page.button(key="empty_demo").click().run()
    assert len(stored(workbench, "nina")) == 20
    button(page, "Undo").click().run()
    assert stored(workbench, "nina") == ()


def test_a_database_without_people_says_what_to_do(
    database_url: str, monkeypatch: pytest.MonkeyPatch, workbench: Database
) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url + "-other")
    monkeypatch.setenv("DEMO_USERS", "false")
    from ui.resources import open_once

    load_settings.cache_clear()
    open_once.cache_clear()
    page = open_page()
    assert "Add the first person" in page.info[0].value


def test_the_frame_switches_people_and_keeps_them_apart(workbench: Database) -> None:
    frame = AppTest.from_file(str(ROOT / "ui" / "frame.py"), default_timeout=30).run()
    assert not frame.exception
    frame.selectbox(key="user").set_value("jonas").run()
    assert not frame.exception
    assert frame.selectbox(key="user").options == ["Maya Lindqvist", "Jonas Okafor"]
