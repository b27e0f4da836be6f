"""`python -m llm`: one question for people, or the engine's batch interface."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.llm.fault_server import Answer, call, serve, status, stream

ROOT = Path(__file__).parent.parent.parent
KEY = "sk-nobody-may-see-this-key-0000"
ADD = stream(call("add_task", '{"title": "buy milk"}'))


def run(*arguments: str, answers: tuple[Answer, ...], lines: str = "") -> subprocess.CompletedProcess[str]:
    with serve(*answers) as server:
        environment = {**os.environ, "OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": KEY, "LLM_ENDPOINT": "auto"}
        command = [sys.executable, "-m", "llm", *arguments]
        return subprocess.run(
            command, cwd=ROOT, env=environment, input=lines, capture_output=True, text=True, timeout=60, check=False
        )


def test_ask_prints_the_decision_and_the_exchange() -> None:
    done = run("ask", "add a task to buy milk", answers=(ADD,))
    assert done.returncode == 0, done.stderr
    for part in ("execute · add_task · model_called", "add_task(title='buy milk')", "valid_call", "9 read, 4 written"):
        assert part in done.stdout
    assert KEY not in done.stdout + done.stderr


def test_ask_without_an_answer_says_why_and_fails() -> None:
    done = run("ask", "hello", "--json", answers=(status(401),))
    assert done.returncode == 1
    assert json.loads(done.stdout)["trace"]["failure"] == "refused_key"
    assert KEY not in done.stdout + done.stderr


def test_decide_has_the_interface_of_the_engine() -> None:
    lines = '{"id": 7, "text": "add a task to buy milk"}\n{nonsense\n'
    done = run("decide", answers=(ADD,), lines=lines)
    decided, malformed = (json.loads(line) for line in done.stdout.splitlines())
    assert (decided["id"], decided["intent"], decided["action"]) == (7, "add_task", "execute")
    assert decided["calls"][0]["parameters"] == {"title": "buy milk"}
    assert "error" in malformed
