"""`python -m llm`: one question for people, or the engine's batch interface."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from llm.__main__ import main
from settings import load_settings
from tests.llm.fault_server import Answer, call, serve, status, stream

ROOT = Path(__file__).parent.parent.parent
KEY = "sk-nobody-may-see-this-key-0000"
Ask = Callable[..., tuple[int, str]]
ADD = stream(call("add_task", '{"title": "buy milk"}'))


def asked_of(url: str) -> dict[str, str]:
    return {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": KEY, "LLM_ENDPOINT": "auto"}


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Ask]:
    """`ask("hello", answer=…)`: its code and what it says, in this process. A process of its own has the test of
    `decide`, which asks by the same environment."""

    def run(*arguments: str, answer: Answer) -> tuple[int, str]:
        with serve(answer) as server:
            for name, value in asked_of(server.url).items():
                monkeypatch.setenv(name, value)
            load_settings.cache_clear()
            code = main(["ask", *arguments])
        said = capsys.readouterr()
        assert KEY not in said.out + said.err
        return code, said.out

    yield run
    load_settings.cache_clear()


def test_ask_prints_the_decision_and_the_exchange(ask: Ask) -> None:
    code, said = ask("add a task to buy milk", answer=ADD)
    assert code == 0
    for part in ("execute · add_task · model_called", "add_task(title='buy milk')", "valid_call", "9 read, 4 written"):
        assert part in said


def test_ask_without_an_answer_says_why_and_fails(ask: Ask) -> None:
    code, said = ask("hello", "--json", answer=status(401))
    assert code == 1
    assert json.loads(said)["trace"]["failure"] == "refused_key"


def test_decide_has_the_interface_of_the_engine() -> None:
    lines = '{"id": 7, "text": "add a task to buy milk"}\n{nonsense\n'
    with serve(ADD) as server:
        done = subprocess.run(
            [sys.executable, "-m", "llm", "decide"], cwd=ROOT, env={**os.environ, **asked_of(server.url)}, input=lines,
            capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
    assert KEY not in done.stdout + done.stderr
    decided, malformed = (json.loads(line) for line in done.stdout.splitlines())
    assert (decided["id"], decided["intent"], decided["action"]) == (7, "add_task", "execute")
    assert decided["calls"][0]["parameters"] == {"title": "buy milk"}
    assert "error" in malformed
