"""What the evidence tables are learned from."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from domains.loading import load_domain
from training.contexts import label_turn
from training.rows import Row, label, load_rows, put_in_context
from training.sample_frames import sample_frames


def turn(**fields: Any) -> dict[str, Any]:
    tasks = [{"id": "a", "title": "Lunch"}]
    return {"text": "x", "lang": "en", "dialogue": "d", "history": [], "tasks": tasks, "accept": [], **fields}


@pytest.mark.parametrize(
    ("entry", "learned"),
    [
        (turn(label="add_task", accept=["add_task"]), ("add_task", 1.0)),
        (turn(label="add_task", accept=["add_task", "unknown"]), ("add_task", 0.3)),
        (turn(label="revise", accept=["add_task", "update_task"]), ("update_task", 1.0)),
        (turn(label="revise", accept=["list_tasks"]), ("list_tasks", 1.0)),
        (turn(label="yes", accept=["yes"]), ("", 0.0)),
    ],
)
def test_corrections_are_changes_and_answers_teach_nothing(entry: dict[str, Any], learned: tuple[str, float]) -> None:
    assert label_turn(entry) == learned


def test_an_appointment_is_a_task_and_an_alarm_is_none() -> None:
    meeting = {"intent": "add_task", "accept": ["add_task", "unknown"], "source_label": "calendar_set", "text": "lunch"}
    assert label("borderline", meeting) == ("add_task", 0.5)
    assert label("borderline", {**meeting, "text": "wake me at six"}) == ("unknown", 0.5)


def test_a_dialogue_comes_with_its_store_and_history(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "add lunch"}, {"role": "assistant", "content": "Done.", "tasks": ["a"]}]
    rows = {"dialogues": turn(label="update_task", accept=["update_task"], history=said)}
    for tier in ("tasks", "lists", "borderline", "negatives", "dialogues"):
        with gzip.open(tmp_path / f"{tier}_train.jsonl.gz", "wt", encoding="utf-8") as lines:
            lines.write("".join(json.dumps(row) + "\n" for name, row in rows.items() if name == tier))
    (row,) = load_rows(tmp_path, "en", task_weight=3.0)
    assert (row.intent, row.weight, row.group) == ("update_task", 3.0, "d")
    assert row.context.history[-1].tasks == ("a",)
    assert row.context.tasks.find_by_id("a") is not None


def test_single_messages_are_learned_with_and_without_a_store() -> None:
    rows = [Row(f"delete thing {number}", "delete_task", 1.0, "x", title=f"thing {number}") for number in range(200)]
    placed = put_in_context(rows, ["buy milk", "pay the rent"])
    stored = [row for row in placed if row.context.tasks.candidates(row.title, 1)]
    assert 0 < len(stored) < len(placed)


def test_a_sentence_from_a_frame_says_what_it_names() -> None:
    policy = load_domain("tasks").policies["en"]
    fillers = {"title": ["the zebra"], "target": ["the zebra"], "search": ["the zebra"]}
    named = [target for _, intent, target in sample_frames(policy, fillers, 1) if intent == "delete_task" and target]
    assert set(named) == {"the zebra"}
