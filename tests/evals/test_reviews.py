"""Verdicts make labelled cases: of a right decision, of either of two, of none; and take them back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant import Assistant, Lanes
from db.connection import Database
from db.evaluation.cases import count_cases, list_cases, remove_case, save_case
from db.turns.conversations import start_conversation
from db.turns.turns import find_turn, read_decisions
from db.users import User
from domains.deciders import make_engine
from engine.border.json_form import from_json
from engine.decision import Context, Decision
from engine.targets.memory_index import MemoryIndex
from evals.cases import load_cases
from evals.labels import label_of
from evals.reviews import Reviewed, context_of_case, review_turn, take_back_last
from evals.runner import run_case
from evals.saved_cases import Label, write_case_file
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.patience import Breaker
from tests.assistant.conftest import calls, says
from tests.conftest import NOW, Call
from tests.llm.fault_server import Answer, serve


@pytest.fixture
def say(database: Database, ada: User, call: Call) -> Any:
    """`say("delete it", calls(…))`: a turn of Ada's in which the LLM gives this answer; its id."""
    for title in ("Renew passport", "Buy milk"):
        call("add_task", title=title)

    def run(text: str, answer: Answer) -> str:
        with database.write() as session:
            conversation = start_conversation(session, ada.id)
        with serve(answer) as server:
            endpoint = Endpoint("openai", server.url, "m", key="k", timeout_seconds=5)
            lanes = Lanes(make_engine(), LLMDecider(endpoint, breaker=Breaker(), pause_seconds=0.01))
            return Assistant(database, ada, lambda: NOW).run_turn(conversation, text, "engine", lanes)

    return run


def give(database: Database, user: User, turn_id: str, **verdicts: Any) -> Reviewed:
    with database.write() as session:
        return [review_turn(session, user.id, turn_id, lane, each) for lane, each in verdicts.items()][-1]  # type: ignore[arg-type]


def expectations(database: Database, user: User) -> list[Any]:
    with database.read() as session:
        return [case.expected for case in list_cases(session, user.id)]


def outcomes(database: Database, user: User, turn_id: str, path: Path) -> dict[str, bool]:
    """Whether the decision that each lane made passes the cases that were made of the turn."""
    with database.read() as session:
        cases = list_cases(session, user.id)
        bodies = read_decisions(session, user.id, [turn_id])[turn_id]
    path.write_text(
        write_case_file([Label(case.text, case.context, case.expected, case.digest) for case in cases]),
        encoding="utf-8",
    )
    (case,) = load_cases(path)

    class Same:
        def __init__(self, lane: str) -> None:
            self.name, self._decision = lane, from_json(Decision, bodies[lane])

        def decide(self, text: str, context: Any) -> Any:
            return self._decision

    return {lane: run_case(Same(lane), case).passed for lane in bodies}


def test_a_right_decision_becomes_a_case_that_it_passes_and_the_other_fails(
    database: Database, ada: User, say: Any, tmp_path: Path
) -> None:
    turn = say("mark the passport task as done", calls("list_tasks"))
    reviewed = give(database, ada, turn, engine="right", llm="wrong")
    assert (reviewed.complete, reviewed.all_wrong) == (True, False)
    (expected,) = expectations(database, ada)
    assert (expected["intent"], expected["action"]) == ("complete_task", "execute")
    assert "reason" not in expected
    assert outcomes(database, ada, turn, tmp_path / "saved.yaml") == {"engine": True, "llm": False}


def test_the_llms_right_decision_is_a_case_that_the_engine_fails(
    database: Database, ada: User, say: Any, tmp_path: Path
) -> None:
    turn = say("mark the passport task as done", calls("add_task", title="Passport"))
    give(database, ada, turn, engine="wrong", llm="right")
    assert outcomes(database, ada, turn, tmp_path / "saved.yaml") == {"engine": False, "llm": True}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "mark the passport task as done",
            calls("update_task", task_identifier="Renew passport", new_status="completed"),
        ),
        ("mark the passport task as done", says("Which one do you mean?")),
        ("add a task to buy tea tomorrow", calls("add_task", title="tea")),
        ("mark the passport task as done", calls("complete_task", task_identifier="Buy milk")),
        ("delete the passport task", calls("complete_task", task_identifier="Renew passport")),
    ],
)
def test_where_both_are_right_one_case_accepts_either(
    database: Database, ada: User, say: Any, tmp_path: Path, text: str, answer: Answer
) -> None:
    turn = say(text, answer)
    give(database, ada, turn, engine="right", llm="right")
    assert outcomes(database, ada, turn, tmp_path / "saved.yaml") == {"engine": True, "llm": True}
    assert len(expectations(database, ada)) == 1
    give(database, ada, turn, llm="unsure")
    assert outcomes(database, ada, turn, tmp_path / "saved.yaml") == {"engine": True, "llm": False}


def test_one_call_or_two_is_nothing_that_a_case_can_expect() -> None:
    texts = ("add a task to buy tea", "remind me to call Anna and show my tasks")
    one, two = (make_engine().decide(text, Context(MemoryIndex(), NOW)) for text in texts)
    assert (len(one.calls), len(two.calls)) == (1, 2)
    assert label_of([one, two]) is None
    both = label_of([two, two])
    assert both
    assert [call["intent"] for call in both["calls"]] == ["add_task", "list_tasks"]


def test_wrong_and_unsure_make_no_case(database: Database, ada: User, say: Any) -> None:
    turn = say("mark the passport task as done", calls("list_tasks"))
    assert not give(database, ada, turn, engine="wrong").complete
    assert give(database, ada, turn, llm="wrong").all_wrong
    assert not give(database, ada, turn, engine="unsure").all_wrong
    assert expectations(database, ada) == []


def test_taking_a_verdict_back_takes_its_case_back(database: Database, ada: User, say: Any) -> None:
    turn = say("mark the passport task as done", calls("list_tasks"))
    give(database, ada, turn, engine="wrong", llm="right")
    give(database, ada, turn, llm="wrong")
    assert expectations(database, ada) == []
    with database.write() as session:
        undone = take_back_last(session, ada.id)
    assert undone
    assert (undone.lane, undone.before, undone.after) == ("llm", "right", "wrong")
    assert [each["intent"] for each in expectations(database, ada)] == ["list_tasks"]
    with database.write() as session:
        steps = [take_back_last(session, ada.id) for _ in range(3)]
    assert [(step.lane, step.after) for step in steps if step] == [("llm", "right"), ("engine", "wrong")]
    assert expectations(database, ada) == []


@pytest.mark.parametrize("saved_first", [True, False])
def test_a_case_that_somebody_saved_by_hand_stays(database: Database, ada: User, say: Any, saved_first: bool) -> None:
    turn_id = say("mark the passport task as done", calls("list_tasks"))
    with database.read() as session:
        turn = find_turn(session, ada.id, turn_id)
        assert turn
        engine = from_json(Decision, read_decisions(session, ada.id, [turn_id])[turn_id]["engine"])
    expected = label_of([engine])
    assert expected
    for by_hand in (saved_first, not saved_first):
        if by_hand:
            with database.write() as session:
                save_case(session, ada.id, turn.text, context_of_case(turn.context), expected)
        else:
            assert give(database, ada, turn_id, engine="right").new_case is not saved_first
    give(database, ada, turn_id, engine=None)
    assert expectations(database, ada) == [expected]


def test_a_case_that_another_verdict_still_stands_for_stays(database: Database, ada: User, say: Any) -> None:
    turn = say("show my tasks", calls("list_tasks"))
    give(database, ada, turn, engine="right", llm="right")
    with database.read() as session:
        assert count_cases(session, ada.id) == 1
    give(database, ada, turn, engine=None)
    assert len(expectations(database, ada)) == 1
    give(database, ada, turn, llm=None)
    assert expectations(database, ada) == []


def test_a_case_removed_by_hand_leaves_its_verdict(database: Database, ada: User, say: Any) -> None:
    turn = say("mark the passport task as done", calls("list_tasks"))
    reviewed = give(database, ada, turn, engine="right")
    assert reviewed.case_id
    with database.write() as session:
        assert remove_case(session, ada.id, reviewed.case_id)
    assert give(database, ada, turn, llm="unsure").verdicts == {"engine": "right", "llm": "unsure"}


def test_a_broken_call_is_no_case_even_if_called_right(database: Database, ada: User, say: Any) -> None:
    turn = say("show my tasks", calls("list_tasks", filter="sideways"))
    assert give(database, ada, turn, llm="right").case_id is None
