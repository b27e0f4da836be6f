"""The list of known failures is kept honest: nothing new unseen, nothing old that passes by now."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.decision import Context, Decision, Reason
from evals.__main__ import main
from evals.case import Case, Turn
from evals.cases import load_known_failures
from evals.known_failures import FILE_NAME, NOT_LOOKED_INTO, stand, write_known_failures
from evals.runner import run_cases
from evals.yaml_lines import CaseFileError, load_yaml


class Silent:
    def decide(self, text: str, context: Context) -> Decision:
        return Decision("silent", "reply", "unknown", Reason.NOT_ABOUT_TASKS, confidence=0.0)


CASES = (
    Case("hello", (Turn("hello", ("unknown",)),)),
    Case("add", (Turn("add x", ("add_task",)),)),
    Case("list", (Turn("list", ("list_tasks",)),)),
)


def test_new_failures_and_listed_cases_that_pass_are_told_apart() -> None:
    standing = stand(run_cases(Silent(), CASES), {"add": "no verbs yet", "hello": "was rude"})
    assert standing.known == ("add",)
    assert standing.new == ("list",)
    assert standing.passing == ("hello",)


def test_a_fresh_list_keeps_the_causes_that_people_wrote(tmp_path: Path) -> None:
    listed = {"add": "no verbs yet", "hello": "was rude"}
    path = write_known_failures(tmp_path, run_cases(Silent(), CASES), listed)
    assert load_known_failures(tmp_path) == {"add": "no verbs yet", "list": NOT_LOOKED_INTO}
    assert load_yaml(path) == {
        "no verbs yet": {"add": "intent: unknown, expected add_task"},
        NOT_LOOKED_INTO: {"list": "intent: unknown, expected list_tasks"},
    }


def test_a_case_has_one_cause(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("no verbs yet:\n  add: 'x'\nwas rude:\n  add: 'x'\n", encoding="utf-8")
    with pytest.raises(CaseFileError, match="add has two causes"):
        load_known_failures(tmp_path)


def test_a_list_without_causes_is_no_list(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("add: 'intent: unknown, expected add_task'\n", encoding="utf-8")
    with pytest.raises(CaseFileError, match="'add' must hold cases"):
        load_known_failures(tmp_path)


def test_an_empty_list_can_be_read_again(tmp_path: Path) -> None:
    write_known_failures(tmp_path, run_cases(Silent(), CASES[:1]), {})
    assert load_known_failures(tmp_path) == {}


def test_a_part_of_the_cases_does_not_overwrite_the_whole_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "it/identity", "--update-known-failures"]) == 2
    assert "leave --only out" in capsys.readouterr().err
