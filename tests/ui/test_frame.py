"""The frame, run by Streamlit as the main script."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ui.search_path import leave_out

ROOT = Path(__file__).parents[2]
_RUN = """
import sys
from streamlit.testing.v1 import AppTest
assert "settings" not in sys.modules
frame = AppTest.from_file("ui/frame.py", default_timeout=60).run()
print(sys.modules["settings"].__file__)
assert "openai" not in sys.modules, "a second of the start, for an LLM that nobody asks"
"""


def test_settings_are_ours_and_not_the_folder_of_a_page(database_url: str) -> None:
    """Streamlit puts the script's folder first in the search path, also when it reads edited files again."""
    environment = {**os.environ, "DATABASE_URL": database_url, "LLM_ENDPOINT": "off"}
    done = subprocess.run([sys.executable, "-c", _RUN], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == str(ROOT / "settings.py"), done.stderr


def test_sessions_that_begin_together_leave_the_search_path_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A path that lost the project's folder found no module that was not loaded yet, on any page, until a restart."""
    before = [*sys.path]
    monkeypatch.setattr(sys, "path", [*before])

    def begin(_session: int) -> None:
        for _ in range(100):
            sys.path.insert(0, str(tmp_path))
            leave_out(tmp_path)

    with ThreadPoolExecutor(8) as sessions:
        list(sessions.map(begin, range(8)))
    assert sys.path == before
