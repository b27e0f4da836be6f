"""What is copied works: the command decides the same in a real shell, whatever the text."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from domains.deciders import make_engine
from domains.loading import load_domain
from engine.border.json_form import to_json
from engine.border.wire import write_decision
from evals.cases import load_cases
from evals.labels import expectation_of
from evals.runner import run_case
from evals.saved_cases import write_case_file
from ui.given.arguments import arguments_of
from ui.given.message import InspectInput, make_context
from ui.inspect.copy import make_command, make_expectation, make_label

ROOT = Path(__file__).parents[3]
ENGINE = make_engine()
TEXTS = (
    "delete the dentist's task",
    "add 'a' \"b\" `id` $(id) $HOME \\n %s %d !! ; rm -rf x # & | > < * ? ~ {1..3}",
    "aggiungi «caffè» alla lista 🚲 domani",
    "complete\nit\r\n\tnow \x00\x1b[31m",
    "-n -e --",
    "yes",
)


def given(text: str) -> InspectInput:
    tasks = [{"id": "a", "number": 1, "title": "Call the 'dentist' $(id) \"now\""}]
    history = [{"role": "assistant", "content": "It's #1.", "tasks": ["a"]}]
    wire = {"tasks": tasks, "history": history, "now": "2026-03-04T10:00:00", "user": "maya", "lang": None}
    pending = ENGINE.decide("delete #1", make_context(wire)).pending
    assert pending
    return InspectInput(text, {**wire, "pending": to_json(pending)})


SHELLS = [name for name in ("sh", "bash", "dash", "zsh") if shutil.which(name)]


def run_in(shell: str, commands: str, folder: Path) -> list[str]:
    """The lines that the commands print where `python` is the one in this folder."""
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "LC_ALL": "C"}
    done = subprocess.run(
        [shell, "-c", commands],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert not done.stderr
    return done.stdout.splitlines()


@pytest.fixture
def repeating(tmp_path: Path) -> Path:
    """A folder with a `python` that prints what it is asked with, and what it is given to read."""
    stand_in = tmp_path / "python"
    stand_in.write_text('#!/bin/sh\nprintf "%s\\n" "$*"\nexec cat\n', encoding="utf-8")
    stand_in.chmod(0o755)
    return tmp_path


def test_the_command_reproduces_the_decision_in_every_shell(repeating: Path) -> None:
    """Each shell hands the same lines over, whatever is in the text; the engine itself is started for all of them at
    once, and for one as it is copied."""
    commands = [make_command(given(text)) for text in TEXTS]
    handed_over = {shell: run_in(shell, "\n".join(commands), repeating) for shell in SHELLS}
    assert {tuple(lines) for lines in handed_over.values()} == {tuple(handed_over[SHELLS[0]])}
    asked, lines = handed_over[SHELLS[0]][::2], handed_over[SHELLS[0]][1::2]
    assert asked == ["-m engine decide"] * len(TEXTS)
    python = Path(sys.executable).parent
    all_at_once = f"printf '%s\\n' {shlex.join(lines)} | python -m engine decide"
    decided = [json.loads(line) for line in run_in(SHELLS[0], f"{commands[0]}\n{all_at_once}", python)]
    for text, answer in zip((TEXTS[0], *TEXTS), decided, strict=True):
        decision = ENGINE.decide(text, make_context(given(text).context_wire))
        assert answer == {"id": None, **json.loads(json.dumps(write_decision(decision, load_domain().catalogue)))}


@pytest.mark.parametrize("text", [*TEXTS, "add a task to buy milk and show me my tasks", "mark #1 as done"])
def test_a_copied_test_passes_as_long_as_the_decision_stays(tmp_path: Path, text: str) -> None:
    inspected = given(text)
    decision = ENGINE.decide(text, make_context(inspected.context_wire))
    path = tmp_path / "copied.yaml"
    path.write_text(write_case_file([make_label(inspected, expectation_of(decision))]), encoding="utf-8")
    (case,) = load_cases(path)
    assert run_case(ENGINE, case).passed, run_case(ENGINE, case).problems


def test_what_a_person_expects_becomes_a_case() -> None:
    values = {"title": " Buy milk ", "description": "", "limit": "5"}
    expected, problem = make_expectation("add_task", "execute", None, values, ["due_date"])
    assert problem == ""
    assert expected == {
        "intent": "add_task",
        "action": "execute",
        "parameters": {"title": "Buy milk", "limit": 5},
        "absent": ["due_date"],
    }
    assert make_expectation("unknown", "", None, {}, []) == ({"intent": "unknown"}, "")
    assert "whole number" in make_expectation("list_tasks", "", None, {"limit": "many"}, [])[1]


def test_the_form_offers_the_arguments_of_the_tool() -> None:
    assert arguments_of("add_task") == ("title", "description", "priority", "due_date")
    assert "task_identifier" not in arguments_of("update_task")
    assert arguments_of("unknown") == ()
