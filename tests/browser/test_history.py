"""The History page in a real browser: links, and a replay after somebody edited a policy file of a running server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, OpenPage, Workbench, running_workbench
from tests.pages.test_history import converse

PATIENT = 60_000
PARTS = ("engine", "db", "llm", "evals", "assistant", "ui", "pages", "assets", ".streamlit")
TEXTS = ("mark the passport task as done", "who am i", "hello there", "delete the dentist task")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project without its tests: a test may edit it."""
    folder = tmp_path_factory.mktemp("copy")
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("app.py", "settings.py"):
        shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory, copy: Path) -> Iterator[Workbench]:
    with running_workbench(tmp_path_factory.mktemp("history"), root=copy) as workbench:
        converse(workbench.database, TEXTS)
        yield workbench


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
    policy = copy / "engine" / "policies" / "en.yaml"
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


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
def test_nothing_is_cut_off_sideways(open_page: OpenPage, width: int, height: int) -> None:
    page = open_page("/history", width=width, height=height)
    expect(page.locator(".tc-turns")).to_be_visible(timeout=PATIENT)
    page.locator(".tl-fold summary").first.click()
    fits = (
        "() => { const e = document.querySelector('[data-testid=stMain]'); return e.scrollWidth <= e.clientWidth + 1 }"
    )
    page.wait_for_function(fits)
