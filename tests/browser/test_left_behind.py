"""Whoever reads that a browser test failed finds what it saw."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.browser.left_behind import VARIABLE
from tests.workbench import ROOT, Workbench

PNG = b"\x89PNG"


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
