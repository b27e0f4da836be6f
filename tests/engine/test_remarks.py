"""Remarks, after each kind of thing that can be done: none of them changes anything."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from domains.deciders import make_engine
from engine.decision import Context, Message, Reason
from engine.policy.yaml_text import read_own_yaml
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call

NOW = datetime(2026, 10, 22, 9)  # noqa: DTZ001 - a wall clock, as the Context has it, on a Thursday
_REMARKS = read_own_yaml((Path(__file__).parent / "remarks.yaml").read_text("utf-8"))
_TASKS = {
    "en": (
        Task("1", 1, "Pick up the dry cleaning", due_date="2026-10-23"),
        Task("2", 2, "Dentist", due_date="2026-10-23T09:30"),
        Task("3", 3, "Walk the dog"),
        Task("4", 4, "Parents evening", due_date="2026-10-29T18:00"),
    ),
    "it": (
        Task("1", 1, "Ritirare la giacca", due_date="2026-10-23"),
        Task("2", 2, "Dentista", due_date="2026-10-23T09:30"),
        Task("3", 3, "Portare fuori il cane"),
        Task("4", 4, "Riunione di classe", due_date="2026-10-29T18:00"),
    ),
}
_DONE = {
    "nothing": (),
    "added": (("add_task", {"title": "Dentist", "due_date": "2026-10-23T09:30"}), ("2",)),
    "changed": (("update_task", {"task_identifier": "2", "new_due_date": "2026-10-23T09:30"}), ("2",)),
    "finished": (("complete_task", {"task_identifier": "3"}), ("3",)),
    "listed": (("list_tasks", {"due": "this_week"}), ("1", "2")),
}


def _after(done: tuple[tuple[str, dict[str, object]], tuple[str, ...]] | tuple[()]) -> Iterator[Message]:
    if done:
        (tool, values), tasks = done
        yield Message("user", "…")
        yield Message("assistant", "…", tasks, (make_call(tool, values, "rules"),))


@pytest.mark.parametrize("done", _DONE)
@pytest.mark.parametrize("language", _REMARKS)
def test_a_remark_changes_nothing(language: str, done: str) -> None:
    engine, history = make_engine(), tuple(_after(_DONE[done]))
    context = Context(MemoryIndex(_TASKS[language]), NOW, history, language=language)
    changed = {
        remark: [(call.tool_name, call.parameters) for call in calls]
        for remark in _REMARKS[language]
        if (calls := [call for call in engine.decide(remark, context).calls if call.tool_name != "list_tasks"])
    }
    assert changed == {}


_AFTER_A_CHANGE = tuple(_after(_DONE["changed"]))


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("en", "tomorrow will be better", "it tells how a day is, and moves nothing"),
        ("it", "domani andrà meglio", "it tells how a day is, and moves nothing"),
        ("en", "thats all for today", "a saying that asks for nothing"),
        ("it", "il dentista l'ho cercato ma ha il telefono spento", "it tells that something came to nothing"),
    ],
)
def test_what_is_found_to_be_a_remark_says_so(language: str, text: str, found: str) -> None:
    context = Context(MemoryIndex(_TASKS[language]), NOW, _AFTER_A_CHANGE, language=language)
    decision = make_engine().decide(text, context)
    assert (decision.action, decision.reason, decision.calls) == ("reply", Reason.REMARK, ())
    assert decision.ledger[-1].name.startswith(f"taken for a remark: {found}")
    assert sum(factor.amount for factor in decision.ledger) == pytest.approx(decision.confidence)
    assert decision.message


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "my favourite colour is blue"),
        ("en", "let's say Sunday for that, so they're there for Monday's session"),
        ("en", "and one for Tuesday: collect the queen from Harris"),
        ("en", "vitamin d drops, tomorrow"),
        ("en", "ok she says the 23rd, 4pm"),
        ("en", "we made up, dinner's on, half eight"),
        ("it", "panini x 30 il 19"),
        ("it", "domani, sennò mi lavo i denti al buio"),
    ],
)
def test_what_is_only_not_understood_is_no_remark(language: str, text: str) -> None:
    context = Context(MemoryIndex(_TASKS[language]), NOW, _AFTER_A_CHANGE, language=language)
    assert make_engine().decide(text, context).reason is not Reason.REMARK


@pytest.mark.parametrize(
    "text", ["bring it forward to Saturday so it's out of the way", "ok bring it forward to Tuesday"]
)
def test_an_order_with_a_day_is_no_remark(text: str) -> None:
    context = Context(MemoryIndex(_TASKS["en"]), NOW, _AFTER_A_CHANGE, language="en")
    (call,) = make_engine().decide(text, context).calls
    assert (call.tool_name, call.parameters["task_identifier"]) == ("update_task", "2")
