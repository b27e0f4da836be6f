"""The frame, run by Streamlit as the main script."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
_RUN = """
import sys
from streamlit.testing.v1 import AppTest
assert "settings" not in sys.modules
frame = AppTest.from_file("ui/frame.py", default_timeout=60).run()
print(sys.modules["settings"].__file__)
"""


def test_settings_are_ours_and_not_the_folder_of_a_page(database_url: str) -> None:
    """Streamlit puts the script's folder first in the search path, also when it reads edited files again."""
    environment = {**os.environ, "DATABASE_URL": database_url, "LLM_ENDPOINT": "off"}
    done = subprocess.run([sys.executable, "-c", _RUN], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == str(ROOT / "settings.py"), done.stderr
