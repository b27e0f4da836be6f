"""`python -m evals`, as it is called."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evals.__main__ import main
from tests.llm.fault_server import call, serve, stream


def test_two_deciders_are_compared_with_a_paired_test(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--decider", "engine", "--decider", "baseline", "--only", "en/identity"]) == 0
    printed = capsys.readouterr().out
    assert "== engine: 31 cases" in printed
    assert "== engine against baseline" in printed
    assert "McNemar exact p" in printed
    assert "confusion" in printed


def test_the_report_is_one_json_object_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--decider", "baseline", "--only", "en/identity", "--json"]) == 0
    (report,) = json.loads(capsys.readouterr().out)["reports"]
    assert report["passed"]["total"] == 31
    assert 0.0 <= report["passed"]["low"] <= report["passed"]["high"] <= 1.0


def test_a_run_can_be_kept_and_compared_later(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "run.json"
    only = ["--decider", "baseline", "--only", "en/identity"]
    assert main([*only, "--save", str(saved)]) == 0
    rights = json.loads(saved.read_text(encoding="utf-8"))
    a_right_one = next(case_id for case_id, right in rights["baseline"].items() if right)
    rights["baseline"][a_right_one] = False
    saved.write_text(json.dumps(rights), encoding="utf-8")
    capsys.readouterr()
    assert main([*only, "--against", str(saved)]) == 0
    assert f"fixed: {a_right_one}" in capsys.readouterr().out


def test_failures_are_written_with_their_problems(tmp_path: Path) -> None:
    errors = tmp_path / "errors.jsonl"
    assert main(["--decider", "baseline", "--only", "en/identity", "--errors", str(errors)]) == 0
    first = json.loads(errors.read_text(encoding="utf-8").splitlines()[0])
    assert first["problems"]
    assert first["decision"]["action"] in ("execute", "confirm", "clarify", "reply")


def test_a_broken_case_file_is_told_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "tasks.yaml").write_text("none: []\n", encoding="utf-8")
    (tmp_path / "en" / "bad.yaml").write_text("cases:\n  - {id: a, say: hi}\n", encoding="utf-8")
    assert main(["--cases", str(tmp_path)]) == 2
    assert "bad.yaml:2: " in capsys.readouterr().err


def test_the_llm_lane_is_scored_like_the_engine() -> None:
    with serve(stream(call("get_user_info", "{}"))) as server:
        environment = {**os.environ, "OPENAI_BASE_URL": server.url, "LLM_ENDPOINT": "auto"}
        command = [sys.executable, "-m", "evals", "--decider", "engine", "--decider", "llm", "--only", "it/identity"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=100)
        assert len(server.requests) > 8
    assert "== llm: 9 cases" in done.stdout
    assert "== engine against llm" in done.stdout


def test_it_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "evals", "--decider", "baseline", "--only", "it/identity"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert "== baseline: 9 cases" in done.stdout


def test_the_room_imports_no_framework() -> None:
    heavy = ("streamlit", "sqlmodel", "plotly", "openai")
    code = f"import sys, evals.__main__; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
