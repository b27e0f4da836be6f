"""Written conversations as examples: tasks by number, values as words, and nothing that nobody could copy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from training.adapter.example import Example
from training.adapter.written_turns import written_examples

TASKS = [
    {"title": "Order xylene", "due_date": "2026-02-06T09:00", "description": "two bottles"},
    {"title": "Call Priya"},
    {"title": "Call Owen"},
]


@pytest.fixture
def calls_of(tmp_path: Path) -> Any:
    def make(*turns: tuple[str, str, dict[str, Any]], lang: str = "en") -> list[Example]:
        said = [{"say": say, "kind": kind, "expect": expect} for say, kind, expect in turns]
        conversation = {"id": "x", "lang": lang, "who": "x", "now": "2026-02-04T13:10", "tasks": TASKS, "turns": said}
        path = tmp_path / "written.yaml"
        path.write_text(yaml.safe_dump([conversation], allow_unicode=True), encoding="utf-8")
        return written_examples(path, 3)

    return make


def target(example: Example, title: str) -> str:
    """The number that the model sees beside a title."""
    lines = str(example.messages[0]["content"]).splitlines()
    return next(line.split()[0] for line in lines if title in line)


def test_a_change_goes_by_number_and_words(calls_of: Any) -> None:
    (example,) = calls_of(
        (
            "xylene comes friday week at ten",
            "change",
            {"set": [{"task": "Order xylene", "due_date": "2026-02-13T10:00"}]},
        )
    )
    number = target(example, "Order xylene")
    assert example.calls == (("update_task", {"task_identifier": number, "new_due_date": "friday week at ten"}),)


def test_an_undo_is_an_undo_and_the_next_turn_knows_it(calls_of: Any) -> None:
    done, back, again = calls_of(
        ("priya is called", "complete", {"set": [{"task": "Call Priya", "status": "completed"}]}),
        ("no, take that back", "undo", {"set": [{"task": "Call Priya", "status": "pending"}]}),
        ("lovely weather", "chat", {"nothing": True}),
    )
    assert [call[0] for call in (*done.calls, *back.calls)] == ["complete_task", "undo"]
    assert '"no, take that back" -> undone' in again.messages[0]["content"]
    assert (again.calls, again.text) == ((), "All right.")


def test_a_question_is_answered_by_the_task_that_has_the_answer(calls_of: Any) -> None:
    (example,) = calls_of(("how much xylene did I want?", "note", {"tell": ["two bottles"]}))
    assert example.calls == (("tell_task", {"task_identifier": target(example, "Order xylene")}),)


def test_what_fits_two_tasks_names_both(calls_of: Any) -> None:
    (example,) = calls_of(("the call is done", "statement", {"ask": True}))
    assert [name for name, _ in example.calls] == ["complete_task"]
    assert " or #" in example.calls[0][1]["task_identifier"]


def test_a_value_that_nobody_could_copy_is_left_out(calls_of: Any) -> None:
    assert calls_of(("grind it finer", "note", {"set": [{"task": "Order xylene", "description": "five litres"}]})) == []
    assert calls_of(("as we said", "add", {"add": [{"title": "Paint the fence"}]})) == []


def test_a_note_that_is_added_to_gives_only_what_is_new(calls_of: Any) -> None:
    wanted = {"set": [{"task": "Order xylene", "description": "two bottles, glass"}]}
    (example,) = calls_of(("add to the note on the xylene: glass", "note", wanted))
    assert example.calls[0][1]["new_description"] == "glass"
