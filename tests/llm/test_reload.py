"""Streamlit's hot reload imports our modules again; the embedded model's process must not be started again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from llm.process import keep_once
from tests.one_core import one_core

ROOT = Path(__file__).parent.parent.parent
SCRIPT = """
import importlib, socket, sys, threading
from urllib.parse import urlsplit

def drop_our_modules():
    '''What Streamlit does when a file was saved.'''
    for name in [name for name in sys.modules if name.split(".")[0] in ("llm", "engine", "settings")]:
        del sys.modules[name]

def servers():
    return sum(thread.name == "embedded-model" for thread in threading.enumerate())

import llm.embedded, llm.endpoint, llm.locating, llm.shared_server
# Nobody asks it anything here, and reading the prompt is most of its start.
llm.shared_server.warm_up = lambda address, kept: None
first_module, first = llm.embedded, llm.shared_server.shared_server()
pid = first.wait_ready(120).pid
drop_our_modules()
import llm.embedded, llm.endpoint, llm.locating, llm.shared_server
from llm.trace import LaneError
assert llm.embedded is not first_module
assert llm.shared_server.find_shared_server() is first
assert llm.shared_server.shared_server() is first
assert first.wait_ready(0).pid == pid
assert servers() == 1
endpoint = llm.endpoint.Endpoint("embedded", "", "m")
assert llm.locating.locate(endpoint, 5).base_url == first.wait_ready(0).base_url
port = urlsplit(first.wait_ready(0).base_url).port
first.stop()
try:
    socket.create_connection(("127.0.0.1", port), timeout=1)
except OSError:
    print("nobody listens")
try:
    llm.locating.locate(endpoint, 0)
except LaneError as error:  # the class of now, though the server raises the one of before
    print("said:", error)
"""


def test_one_process_serves_before_and_after_a_reload_and_says_that_it_was_stopped(weights_file: Path) -> None:
    command = [sys.executable, "-c", SCRIPT]
    with one_core():
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["nobody listens", "said: The embedded model was stopped."]


def test_what_could_not_be_made_is_tried_again() -> None:
    def fail() -> int:
        raise OSError("not now")

    with pytest.raises(OSError, match="not now"):
        keep_once("a test's number", fail)
    assert keep_once("a test's number", lambda: 7) == 7
    assert keep_once("a test's number", lambda: 8) == 7
