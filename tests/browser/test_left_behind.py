"""Whoever reads that a browser test failed finds what it saw."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.left_behind import VARIABLE, keep_what_was_seen, pytest_terminal_summary
from tests.workbench import ROOT, Workbench

PNG = b"\x89PNG"


def test_what_a_page_showed_and_the_servers_log_are_kept_and_named(
    open_page: OpenPage, workbench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    """As after a failure, of this very test and its page."""
    page = open_page("/tasks")
    expect(page.get_by_text("1–16 of 16")).to_be_visible()
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    report = SimpleNamespace(nodeid=request.node.nodeid, user_properties=[])
    keep_what_was_seen(request.node, cast(Any, report))
    (folder,) = tmp_path.iterdir()
    assert folder.name == f"test_left_behind-py-{request.node.name}"
    assert (folder / "page-1.png").read_bytes().startswith(PNG)
    seen = (folder / "page-1.txt").read_text(encoding="utf-8")
    assert seen.startswith(f"{workbench.url}/tasks?user=maya-")
    assert "1–16 of 16" in seen
    assert workbench.url.rsplit(":", 1)[1] in (folder / "server-1.log").read_text(encoding="utf-8")

    told: list[str] = []
    found = {"failed": [report], "error": []}
    reporter = SimpleNamespace(getreports=found.__getitem__, section=told.append, write_line=told.append)
    pytest_terminal_summary(cast(Any, reporter))
    assert told[1:] == [f"{request.node.nodeid} - {folder}/: page-1.txt, page-1.png, server-1.log"]


@pytest.mark.thorough(
    "tests/browser/test_left_behind.py::test_what_a_page_showed_and_the_servers_log_are_kept_and_named"
)
def test_a_failing_test_leaves_its_page_and_the_servers_log_and_names_them(
    workbench: Workbench, tmp_path: Path
) -> None:
    """A run inside this one, on the same server."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/browser/failing_example.py"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, VARIABLE: str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert "1 failed" in done.stdout, done.stdout + done.stderr
    folder = tmp_path / "failing_example-py-test_that_fails"
    assert (folder / "page-1.png").read_bytes().startswith(PNG)
    seen = (folder / "page-1.txt").read_text(encoding="utf-8")
    assert seen.startswith(f"{workbench.url}/tasks?user=maya-")
    assert "1–16 of 16" in seen
    assert workbench.url.rsplit(":", 1)[1] in (folder / "server-1.log").read_text(encoding="utf-8")
    line = f"failing_example.py::test_that_fails - {folder}/: page-1.txt, page-1.png, server-1.log"
    assert line in done.stdout
