"""What a failing browser test leaves in `test-results/`: its pages as picture and as text, and the servers' logs."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Error, Page

from tests.browser.chromium import find_chromium
from tests.workbench import ROOT, running

VARIABLE = "TWOLANE_TEST_RESULTS"


def results_folder() -> Path:
    return Path(os.environ.get(VARIABLE) or ROOT / "test-results")


def keep_what_was_seen(item: pytest.Item, report: pytest.TestReport) -> None:
    """Writes the files, and puts their names into the report and into the test's line of the summary."""
    name = re.sub(r"[^\w-]+", "-", item.nodeid.removeprefix("tests/browser/")).strip("-")
    folder = results_folder() / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    kept = [*_keep_pages(folder), *_keep_logs(folder)]
    shown = folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder
    report.sections.append(("Left behind", "\n".join(str(shown / file) for file in kept)))
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash:
        crash.message = f"[see {shown}/: {', '.join(kept)}] {crash.message}"


def _keep_pages(folder: Path) -> Iterator[str]:
    browser = find_chromium()
    pages = [page for context in browser.contexts for page in context.pages] if browser else []
    for number, page in enumerate(pages, 1):
        yield from _keep_page(page, folder, f"page-{number}")


def _keep_page(page: Page, folder: Path, name: str) -> Iterator[str]:
    """A page that hangs or has crashed leaves what it still gives."""
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
