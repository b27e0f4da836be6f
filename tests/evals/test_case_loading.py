"""A mistake in a case file is pointed at, with its file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.cases import load_cases, load_known_failures
from evals.yaml_lines import CaseFileError

TASKS = "none: []\nhome:\n  - {key: milk, title: buy milk}\n"


def write(folder: Path, cases: str, tasks: str = TASKS) -> Path:
    (folder / "en").mkdir()
    (folder / "tasks.yaml").write_text(tasks, encoding="utf-8")
    (folder / "en" / "some.yaml").write_text(cases, encoding="utf-8")
    return folder


def test_a_flat_case_takes_what_it_does_not_say_from_the_file(tmp_path: Path) -> None:
    text = "tasks: home\nexpect: {intent: complete_task, action: execute}\ncases:\n"
    (case,) = load_cases(write(tmp_path, text + "  - {id: a, say: done with the milk, task: milk}\n"))
    assert case.turns[0].intent == ("complete_task",)
    assert case.turns[0].action == ("execute",)
    assert case.keys[case.turns[0].task[0]] == case.tasks[0].id
    assert case.language == "en"
    assert case.source.endswith("en/some.yaml:4")


def test_a_day_stays_text(tmp_path: Path) -> None:
    text = "cases:\n  - {id: a, say: x, intent: list_tasks, parameters: {due: 2026-03-04}}\n"
    (case,) = load_cases(write(tmp_path, text))
    assert case.turns[0].parameters == {"due": "2026-03-04"}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("- {id: a, say: hi, intent: greet}", "intent"),
        ("- {id: a, say: hi, intent: unknown, acton: reply}", "acton"),
        ("- {id: a, say: hi, intent: unknown, reason: because}", "reason"),
        ("- {id: a, say: hi, intent: unknown, tasks: office}", "no task set 'office'"),
        ("- {id: a, say: hi, intent: complete_task, task: bread}", "has no 'bread'"),
        ("- {id: a, say: hi, intent: unknown, id: b}", "there twice"),
        ("- {id: first, say: hi, intent: unknown}", "is taken by"),
        ("- {id: a, say: hi, turns: [{say: hi, intent: unknown}]}", "belongs into a turn"),
        ("- just words", "a case is a mapping"),
        ("- {id: a, say: [", "line"),
    ],
)
def test_a_mistake_names_its_file_and_line(tmp_path: Path, line: str, problem: str) -> None:
    text = f"cases:\n  - {{id: first, say: hello, intent: unknown}}\n  {line}\n"
    with pytest.raises(CaseFileError, match=r"some\.yaml:\d") as caught:
        load_cases(write(tmp_path, text))
    if problem != "line":
        assert problem in str(caught.value)
    if "first" not in line and problem not in ("a case is a mapping", "line"):
        assert "some.yaml:3" in str(caught.value)


def test_a_mistake_in_a_task_set_is_pointed_at_too(tmp_path: Path) -> None:
    with pytest.raises(CaseFileError, match=r"tasks\.yaml:2: priority"):
        load_cases(write(tmp_path, "cases: []\n", "home:\n  - {key: a, title: b, priority: huge}\n"))


def test_an_unknown_key_of_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CaseFileError, match="unknown key 'case'"):
        load_cases(write(tmp_path, "case: []\n"))


def test_known_failures_say_why(tmp_path: Path) -> None:
    assert load_known_failures(tmp_path) == {}
    listed = "the verb is missing:\n  some-id: 'intent: unknown'\n"
    (tmp_path / "known_failures.yaml").write_text(listed, encoding="utf-8")
    assert load_known_failures(tmp_path) == {"some-id": "the verb is missing"}
