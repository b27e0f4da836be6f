"""The server itself: cold, with its model, with an edited policy file, with a database that somebody holds, and with
one that it cannot use.

Everything here breaks a server of its own, with a copy of the project, which no other test looks at.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Page, expect

from db.connection import Database
from db.schema.upgrading import LATEST
from engine.values import ErrorKind
from tests.browser.conftest import NewTab, OpenPage, show, wait_until_drawn
from tests.browser.task_grid import TaskGrid
from tests.browser.test_history import PATIENT, TEXTS
from tests.mcp_door.workbench import RawClient, calls, make_token, result_of
from tests.pages.test_history import converse
from tests.workbench import ROOT, START_SECONDS, Somebody, Workbench, running_workbench

QUESTION_SECONDS = 1
LOOK_SECONDS = 1
"""As often as this the server looks whether its store is well; whoever waits for that asks without a pause."""
_READY = {
    "status": "ok",
    "database": "ok",
    "migrations": {"applied": LATEST, "known": LATEST},
    "model": "",
}
LEFT_BEHIND = {"tests", "training", "docs", "data", "benchmarks", "cases", "test-results"}


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
def workbench(tmp_path_factory: pytest.TempPathFactory, copy: Path, weights_file: Path) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("server")
    often = {"MCP_QUESTION_SECONDS": str(QUESTION_SECONDS), "STORE_LOOK_SECONDS": str(LOOK_SECONDS)}
    with running_workbench(folder, root=copy, llm="embedded", **often) as workbench:
        yield workbench


@pytest.fixture
def http() -> Iterator[httpx2.Client]:
    with httpx2.Client(timeout=30) as client:
        yield client


@contextmanager
def held(workbench: Workbench) -> Iterator[None]:
    """Another program holds the database for as long as the block lasts."""
    holder = sqlite3.connect(workbench.database_url.removeprefix("sqlite:///"), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        holder.execute("ROLLBACK")
        holder.close()


def when_noticed(workbench: Workbench, http: httpx2.Client) -> httpx2.Response:
    """What `/ready` says as soon as the server has found that something is wrong with its store."""
    until = time.monotonic() + 60
    while (answer := http.get(f"{workbench.url}/ready")).status_code == 200:
        assert time.monotonic() < until, "nobody noticed"
    return answer


def test_a_deep_link_works_first_thing_on_a_cold_server(workbench: Workbench, new_tab: NewTab) -> None:
    """The first test here: nobody has opened a page of this server yet."""
    page = new_tab()
    page.goto(f"{workbench.url}/tasks?user=jonas")
    expect(page.get_by_role("heading", name="Tasks")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("Page not found")).to_have_count(0)
    expect(page.get_by_alt_text("Logo").first).to_be_visible()  # the frame ran, not the page alone
    assert "Pay the rent" in TaskGrid(page).titles()


def test_the_embedded_model_is_warm_before_anybody_asks(
    workbench: Workbench, new_tab: NewTab, http: httpx2.Client
) -> None:
    page = new_tab()
    show(page, f"{workbench.url}/settings?user=jonas")
    wait_for_model(page, workbench, http)
    again, loaded = (
        page.get_by_role("button", name="Look again"),
        page.get_by_text("Loaded and ready on this machine."),
    )
    expect(again.or_(loaded)).to_be_visible()  # what was drawn before the model was ready may be painted only now
    if again.is_visible():
        wait_until_drawn(page)
        again.click()
    expect(loaded).to_be_visible()
    page.get_by_role("button", name="Test connection", exact=True).click()
    told = page.get_by_test_id("stAlert").filter(has_text="smollm2-135m-instruct at embedded answers")
    expect(told).to_be_visible(timeout=PATIENT)


def wait_for_model(page: Page, workbench: Workbench, http: httpx2.Client) -> None:
    """Nobody has sent a message: the model loads by itself. Asks beside the page, to draw it anew only once."""
    until = time.monotonic() + START_SECONDS
    while (told := http.get(f"{workbench.url}/ready").json()["model"]) != "ready":
        assert time.monotonic() < until, told
        page.wait_for_timeout(500)


def test_health_says_whether_the_store_can_be_written(workbench: Workbench, http: httpx2.Client) -> None:
    assert http.get(f"{workbench.url}/health").json() == {"status": "ok"}
    told = http.get(f"{workbench.url}/ready").json()
    assert {**told, "model": ""} == _READY
    with held(workbench):
        answer = when_noticed(workbench, http)
        assert (answer.status_code, answer.json()["status"]) == (503, "error")
        assert "busy" in answer.json()["database"]
        assert http.get(f"{workbench.url}/health").status_code == 503


def replay(page: Page, count: str) -> None:
    button = page.get_by_role("button", name=f"Replay {count}")
    expect(button).to_be_enabled(timeout=PATIENT)
    button.click()


@pytest.mark.thorough("tests/pages/test_history.py::test_a_replay_finds_what_an_edited_policy_file_would_change")
def test_a_replay_finds_what_changes_when_a_policy_file_is_edited(
    open_page: OpenPage, copy: Path, maya: Somebody
) -> None:
    converse(maya.workbench.database, TEXTS, handle=maya.handle)
    page = open_page("/history")
    replay(page, "4 turns")
    expect(page.get_by_text("0 would be decided otherwise")).to_be_visible(timeout=PATIENT)
    policy = copy / "domains" / "languages" / "en" / "language.yaml"
    before = policy.read_text(encoding="utf-8")
    policy.write_text(before.replace("  act: 0.7", "  act: 1.0"), encoding="utf-8")
    replay(page, "4 turns")
    expect(page.get_by_text("2 would be decided otherwise")).to_be_visible(timeout=PATIENT)
    expect(page.get_by_text("Would no longer act 2")).to_be_visible()
    expect(page.locator(".tc-lines tbody tr")).to_have_count(2)
    changed = page.locator(".tc-lines tbody tr").filter(has_text="passport")
    expect(changed.locator("td").nth(1)).to_contain_text("acts")
    expect(changed.locator("td").nth(2)).to_contain_text("not sure enough to act")
    changed.get_by_role("link", name="Inspect").click()
    # Inspect decides under the edited file, too: what the replay says can be looked into.
    expect(page.get_by_role("heading", level=2)).to_contain_text("has to ask first", timeout=PATIENT)
    policy.write_text(before, encoding="utf-8")


@pytest.mark.thorough("tests/pages/test_machines.py::test_while_the_store_is_busy_the_page_says_so_and_nothing_is_lost")
def test_a_locked_store_is_said_in_a_sentence_and_nothing_is_lost(open_page: OpenPage, maya: Somebody) -> None:
    page = open_page()
    grid = TaskGrid(page)
    row = grid.row_of("Renew passport")
    with held(maya.workbench):
        grid.type_into(row, "title", "Too late")
        expect(page.get_by_test_id("stAlert")).to_contain_text("The database is busy; nothing was changed")
    assert "Renew passport" in [task.title for task in maya.tasks()]
    assert grid.row_of("Renew passport") == row


def test_over_mcp_a_locked_store_is_an_error_and_not_a_wait_without_end(maya: Somebody, http: httpx2.Client) -> None:
    client = RawClient(http, f"{maya.workbench.url}/mcp", make_token(maya), None)
    client.open()
    assert result_of(client.call("get_user_info"))["handle"] == maya.handle  # the token's last use is noted
    with held(maya.workbench):
        answer = result_of(client.call("add_task", title="Too busy"))
    assert (answer["error_kind"], "busy" in answer["error_message"]) == ("unavailable", True)
    assert result_of(client.call("add_task", title="Now it works"))["status"] == "success"


def test_a_client_that_vanishes_in_the_middle_of_a_question_is_cleaned_up(maya: Somebody, http: httpx2.Client) -> None:
    url, token = f"{maya.workbench.url}/mcp", make_token(maya)
    title = str(maya.call("add_task", title="Nobody answers for me").payload["title"])
    with httpx2.Client(timeout=30) as lost:
        client = RawClient(lost, url, token, {"elicitation": {}})
        client.open()
        with client.calling("delete_task", task_identifier=title) as messages:
            asked = next(message for message in messages if message.get("method") == "elicitation/create")
            assert title in asked["params"]["message"]
    until = time.monotonic() + 30
    while calls(maya)[0].error is not ErrorKind.DECLINED:
        assert time.monotonic() < until, "the question is still open"
    assert "No answer" in calls(maya)[0].message
    assert [task.title for task in maya.tasks(search=title)] == [title]
    again = RawClient(http, url, token, None)
    again.open()
    assert result_of(again.call("get_user_info"))["handle"] == maya.handle


@pytest.mark.thorough("tests/db/test_migrations.py::test_a_newer_database_is_refused_and_left_as_it_is")
def test_a_dead_and_a_newer_database_are_said_and_the_server_lives_on(
    tmp_path: Path, new_tab: NewTab, http: httpx2.Client
) -> None:
    store = tmp_path / "tasks.db"
    store.write_bytes(b"this is no database at all" * 100)
    with running_workbench(tmp_path, healthy=False) as workbench:
        answer = RawClient(http, f"{workbench.url}/mcp", "twl_0123456789ab_x", None).open()
        assert answer.status_code == 503
        assert "Database" in answer.json()["error_description"]
        # In one step: the server looks at the path whenever it likes, and would make a new store of an empty one.
        make_newer(f"sqlite:///{tmp_path / 'newer.db'}").replace(store)
        page = new_tab()
        page.goto(f"{workbench.url}/tasks")
        expect(page.get_by_test_id("stAlert")).to_contain_text("Update Twolane", timeout=30_000)
        expect(page.get_by_text("Traceback")).to_have_count(0)


def make_newer(database_url: str) -> Path:
    """A database that a later version has changed."""
    Database(database_url).close()
    path = Path(database_url.removeprefix("sqlite:///"))
    with sqlite3.connect(path) as store:
        store.execute("INSERT INTO schema_version VALUES (999, 'from the future', CURRENT_TIMESTAMP)")
    store.close()
    return path


def test_a_running_server_says_that_its_file_is_gone(maya: Somebody, http: httpx2.Client, tmp_path: Path) -> None:
    """The last test of the server that all others here share."""
    client = RawClient(http, f"{maya.workbench.url}/mcp", make_token(maya), None)
    client.open()
    assert result_of(client.call("add_task", title="Kept"))["status"] == "success"
    maya.workbench.database.close()
    Path(maya.workbench.database_url.removeprefix("sqlite:///")).rename(tmp_path / "elsewhere.db")
    answer = client.call("add_task", title="Lost")
    assert answer.status_code == 503
    assert "removed or replaced" in answer.json()["error_description"]
    assert "removed or replaced" in when_noticed(maya.workbench, http).json()["database"]
