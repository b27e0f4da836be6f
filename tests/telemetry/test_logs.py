"""Log lines as JSON, Streamlit's and the web server's among them."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.workbench import ROOT

SCRIPT = """
import logging
from streamlit.logger import get_logger, init_uvicorn_logs
from ui.server_logs import set_up_logs
init_uvicorn_logs()
set_up_logs()
get_logger("streamlit.early").warning("of streamlit")
get_logger("streamlit.made.later").warning("made %s", "later")
logging.getLogger("uvicorn.error").error("of the server")
logging.getLogger("db.watch").info("of a room")
logging.getLogger("some.library").info("too small to be told")
try:
    raise ValueError("first line\\nsecond line")
except ValueError:
    logging.getLogger("ui").exception("it broke")
"""


def test_every_line_is_an_object_whoever_wrote_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env={"LOG_FORMAT": "json"}, capture_output=True, text=True, check=True
    )
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    said = [(line["logger"], line["level"], line["message"]) for line in lines]
    assert said == [
        ("streamlit.early", "warning", "of streamlit"),
        ("streamlit.made.later", "warning", "made later"),
        ("uvicorn.error", "error", "of the server"),
        ("db.watch", "info", "of a room"),
        ("ui", "error", "it broke"),
    ]
    assert lines[-1]["error"] == "ValueError"
    assert "second line" in lines[-1]["trace"]
