"""What Inspect saves runs as a case file, in exactly the context in which it was saved."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from domains.deciders import make_engine
from engine.border.json_form import to_json
from engine.border.wire import read_context, write_decision
from evals.__main__ import main
from evals.cases import load_cases
from evals.runner import run_case
from evals.saved_cases import Label, write_case, write_case_file
from evals.situation import begin

ENGINE = make_engine()
NOW = datetime(2026, 3, 4, 10, 0)  # noqa: DTZ001 - a person's own clock
TASKS = [
    {
        "id": "a",
        "number": 4,
        "title": "Call the dentist",
        "due_date": "2026-03-05",
        "updated_at": "2026-03-01T08:00:00",
    },
    {"id": "b", "number": 7, "title": "Call the dentist", "status": "completed", "completed_at": "2026-03-01T08:00:00"},
    {"id": "c", "number": 9, "title": 'chiamare: {l\'idraulico} #9 & "presto"', "description": "- a\n- b"},
]
CONTEXT = {
    "tasks": TASKS,
    "now": "2026-03-04T10:00:00+01:00",
    "user": "maya",
    "history": [{"role": "assistant", "content": "I deleted it.", "tasks": ["z"]}, {"role": "user", "content": "hm"}],
}


def label(text: str, expected: dict[str, object], context: dict[str, object] = CONTEXT) -> Label:
    return Label(text, context, expected, "0123456789abcdef")


def test_an_exported_file_runs_and_a_right_label_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "saved.yaml"
    right = label("mark #4 as done", {"intent": "complete_task", "action": "execute", "task": "a"})
    wrong = label(
        "delete the dentist task", {"intent": "add_task", "parameters": {"title": "x"}, "absent": ["due_date"]}
    )
    path.write_text(write_case_file([right, wrong]), encoding="utf-8")
    assert main(["--cases", str(path), "--json"]) == 0
    (report,) = json.loads(capsys.readouterr().out)["reports"]
    assert (report["passed"]["count"], report["passed"]["total"]) == (1, 2)


@pytest.mark.parametrize("text", ["mark the dentist as done", "delete it", "segna come fatto chiamare", "yes"])
def test_the_case_is_decided_as_it_was_on_the_page(tmp_path: Path, text: str) -> None:
    pending = ENGINE.decide("delete task 4", read_context(CONTEXT, NOW)).pending
    assert pending
    context = {**CONTEXT, "pending": to_json(pending)}
    decision = ENGINE.decide(text, read_context(context, NOW))
    path = tmp_path / "saved.yaml"
    path.write_text(write_case_file([label(text, {"intent": decision.intent}, context)]), encoding="utf-8")
    (case,) = load_cases(path)
    again = run_case(ENGINE, case).turns[0].decision
    assert write_decision(again, ENGINE.domain.catalogue) == write_decision(decision, ENGINE.domain.catalogue)
    assert begin(case).context.pending == pending


def test_one_case_can_be_pasted_into_a_case_file(tmp_path: Path) -> None:
    pasted = write_case(label("mark #4 as done", {"intent": "complete_task", "task": "a"}))
    folder = tmp_path / "en"
    folder.mkdir()
    indented = "".join(f"  {line}\n" for line in pasted.splitlines())
    (folder / "mine.yaml").write_text(f"cases:\n{indented}", encoding="utf-8")
    (case,) = load_cases(tmp_path)
    assert case.turns[0].task == ("call-the-dentist",)
    assert run_case(ENGINE, case).passed


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(text=some.text(min_size=1, max_size=60), title=some.text(min_size=1, max_size=30))
def test_any_text_comes_back_as_it_was(tmp_path: Path, text: str, title: str) -> None:
    context = {"tasks": [{"id": "a", "title": title}], "now": "2026-03-04T10:00:00"}
    path = tmp_path / "saved.yaml"
    path.write_text(write_case_file([label(text, {"intent": "unknown"}, context)]), encoding="utf-8")
    (case,) = load_cases(path)
    assert (case.turns[0].text, case.tasks[0].title) == (text, title)
    assert yaml.safe_load(path.read_text(encoding="utf-8"))["cases"][0]["say"] == text


def test_a_recorded_turn_keeps_the_answers_that_its_tasks_gave(tmp_path: Path) -> None:
    """The store had its own candidates then; a case must not look them up in another way."""
    plain = {"tasks": TASKS[:1], "now": "2026-03-04T10:00:00", "lang": "en"}
    recorded = {**plain, "lookups": {"candidates 6 dentist": []}}
    path = tmp_path / "saved.yaml"
    for context, reason in ((plain, "matched_rule"), (recorded, "no_target")):
        expected: dict[str, object] = {"intent": "complete_task", "reason": reason}
        path.write_text(write_case_file([label("mark the dentist as done", expected, context)]), encoding="utf-8")
        (case,) = load_cases(path)
        assert run_case(ENGINE, case).passed, reason
