"""`python -m engine`: one line in, one line out."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from domains.deciders import load_decider
from domains.loading import load_domain
from engine.__main__ import decide_lines, main

TASKS = [{"id": "a", "number": 4, "title": "Buy milk"}, {"id": "b", "number": 9, "title": "Buy bread"}]


def run(*lines: object) -> list[dict[str, object]]:
    out = io.StringIO()
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    decide_lines(load_decider(), load_domain(), io.StringIO(text), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_line_has_the_fields_of_the_design() -> None:
    (answer,) = run({"id": 7, "text": "complete buy milk", "tasks": TASKS, "now": "2026-03-02T09:00:00"})
    assert list(answer) == [
        *("id", "action", "intent", "reason", "calls", "scores", "confidence", "ledger", "message", "pending"),
    ]
    (call,) = answer["calls"]  # type: ignore[misc]
    assert call["tool_name"] == "complete_task"
    assert call["parameters"] == {"task_identifier": "a"}
    assert call["task"]["how"] == "exact"
    assert call["provenance"]["task_identifier"]["source"] == "store"


def test_a_malformed_line_costs_only_its_own_answer() -> None:
    answers = run({"id": 1, "text": "show my tasks"}, "{nonsense", '{"id": 3}', "[]", {"id": 5, "text": "hello"})
    assert [("error" in answer) for answer in answers] == [False, True, True, True, False]
    assert answers[2]["id"] == 3


def test_a_question_travels_through_the_lines() -> None:
    (question,) = run({"text": "delete buy milk", "tasks": TASKS})
    assert question["action"] == "confirm"
    (answer,) = run({"text": "yes", "tasks": TASKS, "pending": question["pending"]})
    assert answer["action"] == "execute"
    assert answer["calls"][0]["parameters"] == {"task_identifier": "a"}  # type: ignore[index]


def test_bad_context_is_an_error_in_words() -> None:
    answers = run({"text": "x", "lang": "fr"}, {"text": "x", "now": "noon"}, {"text": "x", "tasks": [{}]})
    assert ["error" in answer for answer in answers] == [True, True, True]


def test_explain_shows_scores_and_ledger(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "remind me to call Anna tomorrow"]) == 0
    printed = capsys.readouterr().out
    assert "add_task" in printed
    assert "ledger" in printed
    assert "title='call Anna'" in printed


def test_guidance_names_every_tool(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["guidance"]) == 0
    printed = capsys.readouterr().out
    for heading in ("## Policy", "## Choosing a tool", "## Several steps", "get_user_info", "70%"):
        assert heading in printed


def test_a_broken_policy_ends_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text("version: 1\nlanguage: fr\nwords: {}\nframes: {}\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["decide", "--policy", str(path)])
    assert ended.value.code == 2
    assert "line 2" in capsys.readouterr().err


def test_deciding_starts_without_pydantic_or_any_framework() -> None:
    heavy = "{'pydantic', 'sqlmodel', 'streamlit', 'openai'}"
    code = f"import engine.__main__, engine.border.wire, sys; print(sorted({heavy} & set(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
