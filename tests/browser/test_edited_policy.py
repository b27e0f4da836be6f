"""A replay after somebody edited a policy file of a running server, which has a copy of the project to itself."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.test_history import PATIENT, TEXTS
from tests.pages.test_history import converse
from tests.workbench import ROOT, Somebody, Workbench, running_workbench

LEFT_BEHIND = {"tests", "training", "docs", "data", "benchmarks", "cases", "test-results"}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project without its tests: a test may edit it."""
    folder = tmp_path / "copy"
    folder.mkdir()
    for part in ROOT.iterdir():
        if part.name == ".streamlit" or not (part.name.startswith(".") or part.name in LEFT_BEHIND):
            copy_one = shutil.copytree if part.is_dir() else shutil.copy
            copy_one(part, folder / part.name)
    return folder


@pytest.fixture
def workbench(tmp_path: Path, copy: Path) -> Iterator[Workbench]:
    with running_workbench(tmp_path, root=copy) as workbench:
        yield workbench


def replay(page: Page, count: str) -> None:
    button = page.get_by_role("button", name=f"Replay {count}")
    expect(button).to_be_enabled(timeout=PATIENT)
    button.click()


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
