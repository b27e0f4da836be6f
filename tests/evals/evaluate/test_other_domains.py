"""Evaluate knows no domain by name: one that is only a folder, and one with a reading of its own."""

from __future__ import annotations

import json

import pytest

from db.connection import Database
from db.evaluation.runs import find_run
from db.users import User
from evals.evaluate.direct import run_directly
from evals.evaluate.exports import write_html
from evals.evaluate.inspecting import context_of
from evals.evaluate.own_files import read_own_file
from evals.evaluate.room import begin_run
from evals.evaluate.sources import load_our_cases
from evals.evaluate.specs import DeciderError, DeciderSpec

ENGINE = DeciderSpec("engine", "Engine")
MACHINES = {"machines": [{"id": "m1", "name": "Frigo Cucina", "type": "fridge", "connected": True, "commands": []}]}


def test_a_domain_that_is_only_a_folder_is_evaluated_with_its_own_cases(
    database: Database, ada: User, parcels: str
) -> None:
    data_set = load_our_cases(parcels)
    assert len(data_set.cases) == 10
    begun = begin_run(database, ada.id, data_set, [ENGINE])
    begun.work.run()
    with database.read() as session:
        run = find_run(session, ada.id, begun.run_id)
    assert run
    assert (run.domain, run.done) == (parcels, 10)
    report = run_directly(data_set, [ENGINE])
    assert report.deciders[0].scoreboard.right.count == 10
    assert "track_parcel" in write_html(report)


def test_a_domain_with_a_reading_of_its_own_is_evaluated_by_its_own_lines() -> None:
    rows = [
        {"text": "show me the details of Frigo Cucina", "tool": "device_detail", **MACHINES},
        {"text": "hello", "tool": None, **MACHINES},
        {"text": "hello", "intent": "add_task"},
    ]
    data_set = read_own_file("\n".join(map(json.dumps, rows)), "m.jsonl", "machines")
    assert len(data_set.problems) == 1
    report = run_directly(data_set, [ENGINE])
    assert [row.final for row in report.deciders[0].rows] == ["show_machine", "unknown"]
    text, context = context_of(data_set.cases[0])
    assert (text, context["domain"]) == ("show me the details of Frigo Cucina", "machines")
    assert context["machines"] == MACHINES["machines"]
    with pytest.raises(DeciderError, match="no policy or threshold"):
        run_directly(data_set, [DeciderSpec("engine", thresholds={"act": 0.9})])


def test_a_domain_without_cases_is_an_empty_set() -> None:
    assert load_our_cases("machines").cases == ()
