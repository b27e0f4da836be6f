"""What the LLM may do by itself: taking back where the words speak for it, and nothing after its one answer."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace
from typing import Any

import pytest

from assistant.consent import hold_back
from assistant.tool_loop import goes_on
from domains.loading import load_policy
from engine.decision import Context, Decision, Factor, Reason
from engine.targets.memory_index import MemoryIndex
from engine.values import make_call
from llm.calibration import CALIBRATED_SOURCE, PLAIN_SOURCE, TokenCalibration

POLICY = load_policy("en")
CONTEXT = Context(MemoryIndex(), datetime(2026, 3, 2, 9), language="en")  # noqa: DTZ001 - a wall clock
BACK = Decision("llm", "execute", "unknown", Reason.MODEL_CALLED, act="undo")
SILENT = Decision("engine", "reply", "unknown", Reason.NOT_ABOUT_TASKS, act="chat", message="I look after tasks.")


def turn(engine: Decision, driver: str = "llm", *, own: bool = False) -> Any:
    """`own`: in a domain with a reading of its own."""
    domain = SimpleNamespace(conduct=object() if own else None)
    return SimpleNamespace(engine=engine, policy=POLICY, driver=driver, domain=domain, context=CONTEXT)


def test_an_undo_that_only_the_model_reads_in_small_talk_is_not_done() -> None:
    assert hold_back(BACK, turn(SILENT)) is SILENT


@pytest.mark.parametrize(
    "engine",
    [
        replace(SILENT, reason=Reason.MATCHED_RULE, act="undo", action="execute"),
        replace(SILENT, reason=Reason.CANCELLED, act="undo"),
        replace(SILENT, reason=Reason.BELOW_THRESHOLD, act="correct"),
    ],
)
def test_an_undo_is_done_where_nothing_speaks_against_it(engine: Decision) -> None:
    assert hold_back(BACK, turn(engine)) is BACK


@pytest.mark.parametrize(("endpoint", "again"), [("embedded", False), ("https://llm.example/v1", True)])
def test_the_embedded_model_is_asked_once(endpoint: str, again: bool) -> None:
    progress: Any = SimpleNamespace(traces=(SimpleNamespace(endpoint=endpoint, path="tools"),))
    done: Any = SimpleNamespace(pending=None, executed=("something",))
    assert goes_on(progress, done) is again


ADD = make_call("add_task", {"title": "tea"}, "llm")
WANTS = Decision("llm", "execute", "add_task", Reason.MODEL_CALLED, calls=(ADD,), message="I add 'tea'.")
ASKED_FOR = Decision("engine", "execute", "add_task", Reason.MATCHED_RULE, calls=(ADD,))


def sure(confidence: float, source: str = CALIBRATED_SOURCE) -> Decision:
    return replace(WANTS, confidence=confidence, ledger=(Factor(f"LLM: {source}", confidence),))


@pytest.fixture
def asks_below(monkeypatch: pytest.MonkeyPatch) -> None:
    learned = TokenCalibration("any", 0.0, 1.0, 1.0, sure=0.8)
    monkeypatch.setattr("llm.calibration.load_calibration", lambda: learned)


@pytest.mark.usefixtures("asks_below")
def test_a_model_that_drives_asks_where_it_is_unsure() -> None:
    assert hold_back(sure(0.9), turn(ASKED_FOR)).action == "execute"
    asked = hold_back(sure(0.7), turn(ASKED_FOR))
    assert (asked.action, asked.pending and asked.pending.call) == ("confirm", ADD)
    assert asked.message == "I am not quite sure what you mean. Shall I add 'tea'?"


@pytest.mark.usefixtures("asks_below")
def test_where_both_drive_or_nobody_knows_what_a_number_means_it_was_weighed_or_is_not() -> None:
    assert hold_back(sure(0.7), turn(ASKED_FOR, "router")).action == "execute"
    assert hold_back(sure(0.7, PLAIN_SOURCE), turn(ASKED_FOR)).action == "execute"
    assert hold_back(WANTS, turn(ASKED_FOR)).action == "execute"


def test_where_its_confidence_was_not_learned_the_embedded_model_does_only_what_the_engine_wants_too() -> None:
    other = replace(ASKED_FOR, calls=(make_call("add_task", {"title": "coffee"}, "words"),))
    asking = replace(ASKED_FOR, action="clarify", calls=())
    for driver in ("llm", "router"):
        assert hold_back(sure(0.99), turn(ASKED_FOR, driver, own=True)).action == "execute"
        assert hold_back(sure(0.99), turn(other, driver, own=True)).action == "confirm"
        assert hold_back(sure(0.99), turn(asking, driver, own=True)).action == "confirm"
    assert hold_back(WANTS, turn(other, own=True)).action == "execute"
