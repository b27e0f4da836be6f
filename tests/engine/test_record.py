"""What the store keeps of a turn leads back to the very same decision."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from domains.deciders import make_engine
from domains.tasks.baseline.decider import BaselineDecider
from engine.border.json_form import from_json, to_json
from engine.border.wire import read_context, write_context
from engine.decision import Decider, Decision
from engine.targets.memory_index import MemoryIndex
from engine.targets.recorded_index import RecordingIndex
from engine.values import Task
from evals.situation import begin
from tests.conftest import NOW
from tests.our_cases import our_cases
from tests.rounds import rounds

CASES = our_cases()[:: rounds(4, 1)]


@pytest.mark.parametrize("decider", [make_engine(), BaselineDecider()], ids=["engine", "baseline"])
def test_every_decision_survives_the_way_through_json(decider: Decider) -> None:
    for case in CASES:
        decision = decider.decide(case.turns[0].text, begin(case).context)
        assert from_json(Decision, json.loads(json.dumps(to_json(decision)))) == decision, case.id


def test_a_recorded_context_leads_to_the_same_decision_again() -> None:
    for case in CASES:
        text, context = case.turns[0].text, begin(case).context
        index = RecordingIndex(context.tasks)
        seen = replace(context, tasks=index)
        decision = make_engine().decide(text, seen)
        recorded = json.loads(json.dumps(write_context(seen, index)))
        assert make_engine().decide(text, read_context(recorded, NOW)) == decision, case.id


def test_what_was_answered_once_is_not_asked_of_the_store_again() -> None:
    asked: list[tuple[str, int]] = []

    class Noting(MemoryIndex):
        def candidates(self, mention: str, limit: int) -> tuple[Task, ...]:
            asked.append((mention, limit))
            return super().candidates(mention, limit)

    found = read_context({"tasks": [{"id": "1", "number": 1, "title": "Call the dentist"}]}, NOW)
    index = RecordingIndex(Noting(found.tasks.recent(9)))
    for _ in range(2):
        make_engine().decide("mark call the dentist as done", replace(found, tasks=index))
    assert asked
    assert len(asked) == len(set(asked))
    assert index.candidates("dentist", 5) == index.candidates("dentist", 5) == found.tasks.recent(1)


def test_only_the_tasks_that_were_looked_at_are_recorded() -> None:
    tasks = [{"id": str(number), "number": number, "title": f"Chore {number}"} for number in range(1, 501)]
    context = read_context({"tasks": [*tasks, {"id": "x", "number": 501, "title": "Call the dentist"}]}, NOW)
    index = RecordingIndex(context.tasks)
    make_engine().decide("mark call the dentist as done", replace(context, tasks=index))
    assert "x" in {task.id for task in index.tasks}
    assert len(index.tasks) < 100
