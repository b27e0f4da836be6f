"""The context editor as data: edits become a context, and half-typed JSON loses nothing."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from domains.deciders import make_engine
from engine.border.json_form import to_json
from evals.case import Case
from evals.situation import begin
from tests.our_cases import our_cases
from tests.rounds import rounds
from ui.given.message import make_context, write_task
from ui.inspect.draft import ContextDraft, draft_of, read_draft, task_frame, tasks_of

TASKS = [
    {"id": "a", "number": 1, "title": "Call the dentist", "updated_at": "2026-03-01T08:00:00", "due_date": None},
    {"id": "b", "number": 2, "title": "Buy milk", "priority": "low", "status": "completed"},
]
WIRE = {"tasks": TASKS, "history": [{"role": "user", "content": "hi"}], "now": "2026-03-04T10:00:00", "user": "maya"}


def test_a_context_comes_back_from_the_editor_as_it_was() -> None:
    pending = make_engine().decide("delete #1", make_context(WIRE)).pending
    assert pending
    wire = {**WIRE, "pending": to_json(pending), "lang": "it"}
    again, problems = read_draft(draft_of(wire), {})
    assert (again, problems) == (wire, {})
    assert make_context(again).pending == pending


@pytest.mark.parametrize(
    ("field", "text", "told"),
    [
        ("pending", '{"kind": "confirm",', "line 1, column 20"),
        ("pending", '{"kind": "guess"}', "pending.kind must be one of confirm, choose, fill"),
        ("pending", "[1, 2]", "pending must be an object"),
        ("history", '[{"role": "nobody"}]', "history[1].role must be one of user, assistant"),
        ("history", '{"role": "user"}', "history must be a list"),
        ("history", "[1", "not valid JSON"),
        ("now", "tomorrow", "now must be an ISO time"),
        ("now", " ", "a time is needed"),
    ],
)
def test_a_mistake_is_told_and_the_last_good_value_counts(field: str, text: str, told: str) -> None:
    draft = draft_of(WIRE)
    broken = ContextDraft(**{name: getattr(draft, name) for name in draft.__slots__} | {field: text})
    wire, problems = read_draft(broken, WIRE)
    assert told in problems[field]
    assert list(problems) == [field]
    assert wire[field] == WIRE.get(field)
    assert getattr(broken, field) == text


def test_an_untouched_table_gives_the_tasks_back_with_all_they_had() -> None:
    bare = ({"title": "no id, no number"},)
    assert tasks_of(task_frame(tuple(TASKS)), tuple(TASKS)) == tuple(TASKS)
    assert tasks_of(task_frame(bare), bare)[0]["title"] == "no id, no number"


def test_rows_are_renamed_added_and_taken_away() -> None:
    frame = task_frame(tuple(TASKS)).drop(index=1)
    frame.loc[0, "title"] = "Call the vet"
    new = pd.DataFrame([{"title": "Walk the dog", "due_date": "2026-03-05"}, {"title": None}, {"title": "  "}])
    tasks = tasks_of(pd.concat([frame, new], ignore_index=True), tuple(TASKS))
    assert [(task["title"], task["number"]) for task in tasks] == [("Call the vet", 1), ("Walk the dog", 3)]
    assert tasks[0]["id"] == "a"
    assert tasks[1]["due_date"] == "2026-03-05"
    assert len({task["id"] for task in tasks}) == 2


def test_an_empty_list_of_tasks_can_be_edited_too() -> None:
    frame = task_frame(())
    assert list(frame.columns)[:3] == ["id", "number", "title"]
    assert tasks_of(frame, ()) == ()


def test_a_context_that_went_through_the_editor_is_decided_as_before() -> None:
    """What a link to a recorded turn promises: the same decision, exactly."""
    chosen = our_cases()[:: rounds(24, 8)]
    assert len(chosen) > 100
    for case in chosen:
        check_through_the_editor(case)


def check_through_the_editor(case: Case) -> None:
    situation = begin(case)
    history = [
        {"role": each.role, "content": each.content, "tasks": list(each.tasks)} for each in situation.context.history
    ]
    wire = {
        "tasks": [write_task(task) for task in situation.tasks],
        "history": history,
        "now": case.now.isoformat(),
        "lang": case.language,
        "user": case.user,
        "pending": None,
    }
    draft = draft_of(wire)
    through_table = replace(draft, tasks=tasks_of(task_frame(draft.tasks), draft.tasks))
    again, problems = read_draft(through_table, {})
    assert (again, problems) == (wire, {}), case.id
    text = case.turns[0].text
    decided = make_engine().decide(text, make_context(again))
    assert decided == make_engine().decide(text, situation.context), case.id
