"""What the LLM may do by itself: taking back where the words speak for it, and nothing after its one answer."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from assistant.consent import hold_back
from assistant.tool_loop import goes_on
from domains.loading import load_policy
from engine.decision import Decision, Reason

POLICY = load_policy("en")
BACK = Decision("llm", "execute", "unknown", Reason.MODEL_CALLED, act="undo")
SILENT = Decision("engine", "reply", "unknown", Reason.NOT_ABOUT_TASKS, act="chat", message="I look after tasks.")


def turn(engine: Decision) -> Any:
    return SimpleNamespace(engine=engine, policy=POLICY)


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
