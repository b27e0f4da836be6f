"""What a failing browser test leaves in `test-results/`: its pages as picture and as text, and the servers' logs."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.chromium import find_chromium
from tests.browser.tabs import is_idle
from tests.workbench import ROOT, running

if TYPE_CHECKING:
    from playwright.sync_api import Page

VARIABLE = "TWOLANE_TEST_RESULTS"
"""Names another folder than `test-results/`."""
PROPERTY = "left behind"


def results_folder() -> Path:
    return Path(os.environ.get(VARIABLE) or ROOT / "test-results")


def keep_what_was_seen(item: pytest.Item, report: pytest.TestReport) -> None:
    """Writes the files, and puts their names into the report, for `pytest_terminal_summary`."""
    name = re.sub(r"[^\w-]+", "-", item.nodeid.removeprefix("tests/browser/")).strip("-")
    folder = results_folder() / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    kept = [*_keep_pages(folder), *_keep_logs(folder)]
    shown = folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder
    report.user_properties.append((PROPERTY, f"{shown}/: {', '.join(kept)}"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A line for each failing test. pytest's own lines are cut off at the width of the terminal."""
    reports = [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")]
    kept = [
        (each.nodeid, value)
        for each in reports
        for name, value in getattr(each, "user_properties", ())
        if name == PROPERTY
    ]
    if kept:
        terminalreporter.section("What failing browser tests have left behind")
    for nodeid, files in kept:
        terminalreporter.write_line(f"{nodeid} - {files}")


def _keep_pages(folder: Path) -> Iterator[str]:
    browser = find_chromium()
    pages = [page for context in browser.contexts for page in context.pages] if browser else []
    for number, page in enumerate((each for each in pages if not is_idle(each)), 1):
        yield from _keep_page(page, folder, f"page-{number}")


def _keep_page(page: Page, folder: Path, name: str) -> Iterator[str]:
    """A page that hangs or has crashed leaves what it still gives."""
    from playwright.sync_api import Error  # late: every test run loads this file

    try:
        (folder / f"{name}.txt").write_text(f"{page.url}\n\n{page.inner_text('body', timeout=5_000)}", encoding="utf-8")
        yield f"{name}.txt"
        page.screenshot(path=folder / f"{name}.png", timeout=10_000)
        yield f"{name}.png"
    except Error as error:
        (folder / f"{name}-error.txt").write_text(str(error), encoding="utf-8")
        yield f"{name}-error.txt"


def _keep_logs(folder: Path) -> Iterator[str]:
    for number, log in enumerate(running.values(), 1):
        name = f"server-{number}.log"
        shutil.copy(log, folder / name)
        yield name
