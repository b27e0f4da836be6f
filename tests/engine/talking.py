"""What the same words come to after what was done before: rows of a data table, and the store they are said to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Context, Decision, Message, Pending
from engine.policy.yaml_text import read_own_yaml
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call

NOW = datetime(2026, 3, 2, 9)  # noqa: DTZ001 - a wall clock, as the Context has it
_TITLES = {
    "it": (
        "Pagare l'affitto",
        "Chiamare il dentista",
        "Annaffiare le piante",
        "Prenotare il viaggio a Vienna",
        "Comprare il latte",
        "Riunione con Giulia",
        "Bolletta della luce",
    ),
    "en": (
        "Pay rent",
        "Call the dentist",
        "Water the plants",
        "Book Vienna trip",
        "Buy milk",
        "Meeting with Julia",
        "Electricity bill",
    ),
}
_MORE: dict[int, dict[str, Any]] = {
    1: {"due_date": "2026-03-05"},
    2: {"due_date": "2026-03-04T15:00", "description": "x-ray"},
    4: {"priority": "high"},
    6: {"due_date": "2026-03-03T10:00"},
    7: {"status": "completed"},
}
_CALLS = {
    "add": ("add_task", {"title": "x", "due_date": "2026-03-05"}, ("1",)),
    "change": ("update_task", {"task_identifier": "1", "new_due_date": "2026-03-06"}, ("1",)),
    "finish": ("complete_task", {"task_identifier": "1"}, ("1",)),
    "remove": ("delete_task", {"task_identifier": "99"}, ()),
    "read": ("list_tasks", {"filter": "pending"}, ("1", "2", "3")),
}
_DECIDER = RuleDecider(load_domain())


def rows(language: str) -> Iterator[Any]:
    """Situation, message, act (with what it asks), intent and arguments. A row that says why is not so yet."""
    table = read_own_yaml((Path(__file__).parent / f"talking_{language}.yaml").read_text(encoding="utf-8"))
    for situation, said in table.items():
        for message, act, intent, arguments, *why in said:
            marks = [pytest.mark.xfail(reason=why[0], strict=True)] if why else []
            yield pytest.param(situation, message, act, intent, arguments, marks=marks)


def decide(situation: str, message: str, language: str) -> Decision:
    tasks = [Task(str(n), n, title, **_MORE.get(n, {})) for n, title in enumerate(_TITLES[language], 1)]
    if situation == "finish":
        tasks[0] = replace(tasks[0], status="completed")
    history: tuple[Message, ...] = ()
    if situation in _CALLS:
        tool, parameters, named = _CALLS[situation]
        done = make_call(tool, parameters, "conversation")
        history = (Message("user", "x"), Message("assistant", "ok", named, (done,)))
    waits = make_call("delete_task", {"task_identifier": "1"}, "words")
    pending = Pending("confirm", "delete_task", waits, question="?") if situation == "question" else None
    return _DECIDER.decide(message, Context(MemoryIndex(tasks), NOW, history, pending, language=language))


def come_to(decision: Decision) -> tuple[str, str, dict[str, Any]]:
    """Act (with what it asks), intent and arguments, as a row has them."""
    act = f"{decision.act} {decision.asks}" if decision.act == "ask" else decision.act
    call = decision.calls[0] if decision.calls else decision.pending.call if decision.pending else None
    arguments = dict(call.parameters) if call else {slot.name: slot.value for slot in decision.slots}
    return act, decision.intent, arguments
