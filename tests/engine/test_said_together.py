"""Several things in one message: who asks for one is speaking to us with the others; and numbers put right."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest

from engine.decision import Context, Decision, Message, Pending
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, ToolCall, make_call
from tests.engine.reading import make_reader

NOW = datetime(2026, 6, 10, 10)  # noqa: DTZ001 - a wall clock, as the Context has it
_DECIDER = make_reader()
_TASKS = (
    Task("1", 1, "Invoice the rowing club"),
    Task("2", 2, "Cut the hedge at number 9", due_date="2026-06-12T09:00"),
    Task("3", 3, "Phone Mrs Okafor", due_date="2026-06-16T10:00"),
    Task("4", 4, "Richiamare l'avvocato Serra"),
    Task("5", 5, "Rinnovare abbonamento palestra", due_date="2026-06-18T11:00"),
    Task("6", 6, "Comprare latte"),
    Task("7", 7, "Proofread chapter 3", description="due at 40 pages, 12 figures"),
)
FINISH, CHANGE, ADD = "complete_task", "update_task", "add_task"


def decide(
    text: str, done: ToolCall | None = None, about: Sequence[str] = (), pending: Pending | None = None
) -> Decision:
    language = "it" if text.startswith("it: ") else "en"
    history = (Message("user", "…"), Message("assistant", "…", tuple(about), (done,))) if done else ()
    context = Context(now=NOW, tasks=MemoryIndex(_TASKS), history=history, pending=pending, language=language)
    return _DECIDER.decide(text.removeprefix("it: "), context)


def done_by(decision: Decision) -> list[tuple[str, Any]]:
    """Each tool with its target, or with the name of what is new."""
    assert decision.action == "execute", decision.message
    return [
        (call.tool_name, call.parameters.get("task_identifier") or call.parameters.get("title"))
        for call in decision.calls
    ]


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("Mrs Okafor is phoned, and add buy rope", [(FINISH, "3"), (ADD, "buy rope")]),
        ("it: all'avvocato Serra ho telefonato, e segnami cena con Ugo venerdì alle 20",
         [(FINISH, "4"), (ADD, "cena con Ugo")]),
        ("hedge at number 9 done, rowing club invoiced too", [(FINISH, "2"), (FINISH, "1")]),
        ("the hedge is done and the rowing club too", [(FINISH, "2"), (FINISH, "1")]),
        ("tick off the rowing club invoice, it's sent", [(FINISH, "1")]),
        ("Phoned Mrs Okafor, half an hour of talk. Done at last.", [(FINISH, "3")]),
        ("add buy rope. And tape.", [(ADD, "buy rope"), (ADD, "tape")]),
        ("add clean the boat tomorrow and ring Ola on Friday about her oars",
         [(ADD, "clean the boat"), (ADD, "ring Ola about her oars")]),
        ("it: aggiungi stirare domani e palestra venerdì", [(ADD, "stirare"), (ADD, "palestra")]),
    ],
)  # fmt: skip
def test_each_is_done(text: str, done: list[tuple[str, Any]]) -> None:
    assert done_by(decide(text)) == done


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("it: aggiungi comprare pane e latte", [(ADD, "comprare pane e latte")]),
        ("add call Ola and the rowing club", [(ADD, "call Ola and the rowing club")]),
        ("add clean the boat and paint the oars tomorrow", [(ADD, "clean the boat and paint the oars")]),
    ],
)
def test_what_is_added_reports_nothing(text: str, done: list[tuple[str, Any]]) -> None:
    """A stored name within something new is no news of it."""
    assert done_by(decide(text)) == done


@pytest.mark.parametrize(
    "said",
    [
        "I haven't phoned Mrs Okafor, and",
        "Mrs Okafor will be phoned by Tim, and",
        "was Mrs Okafor phoned? and",
        "Mrs Okafor phoned me again,",
        "the rowing club wants an invoice,",
        "someone should invoice the rowing club, and",
    ],
)
def test_what_is_denied_asked_or_still_to_come_is_not_done(said: str) -> None:
    assert FINISH not in [call.tool_name for call in decide(f"{said} add buy rope").calls]


@pytest.mark.parametrize(
    "text",
    [
        "sold out of tape by noon, best day all year",
        "the hedge, hmm, maybe",
        "it: oggi non passa nessuno",
        "add buy paint, no wait, forget it",
        "it: segna chiamare la zia, anzi no lascia stare",
    ],
)
def test_a_remark_changes_nothing(text: str) -> None:
    changed = make_call(CHANGE, {"task_identifier": "2", "new_due_date": "2026-06-12"}, "engine")
    assert decide(text, changed, ("2",)).action in ("reply", "clarify")


def test_a_level_after_something_new_is_its_own() -> None:
    (call,) = decide("add buy varnish for Friday, high priority please").calls
    assert call.parameters == {"title": "buy varnish", "due_date": "2026-06-12", "priority": "high"}


@pytest.mark.parametrize(
    "text", ["put a note on it, back gate is locked", "leave a note on that - back gate is locked"]
)
def test_a_note_stands_after_it_and_a_comma(text: str) -> None:
    changed = make_call(CHANGE, {"task_identifier": "2", "new_due_date": "2026-06-12"}, "engine")
    (call,) = decide(text, changed, ("2",)).calls
    assert call.parameters == {"task_identifier": "2", "new_description": "back gate is locked"}


def test_a_correction_names_nothing_by_an_article() -> None:
    changed = make_call(CHANGE, {"task_identifier": "2", "new_due_date": "2026-06-12"}, "engine")
    (call,) = decide("no, the 18th, I meant the Thursday", changed, ("2",)).calls
    assert call.parameters == {"task_identifier": "2", "new_due_date": "2026-06-18T09:00"}


def test_why_something_is_moved_is_no_priority() -> None:
    (call,) = decide("the hedge can wait, put it on Monday").calls
    assert call.parameters == {"task_identifier": "2", "new_due_date": "2026-06-15T09:00"}


def test_the_same_day_is_the_day_that_it_has() -> None:
    (call,) = decide("it: l'abbonamento palestra spostalo alle 9, stesso giorno").calls
    assert call.parameters == {"task_identifier": "5", "new_due_date": "2026-06-18T09:00"}


def test_what_a_story_names_is_what_it_asks_about() -> None:
    changed = make_call(CHANGE, {"task_identifier": "2", "new_due_date": "2026-06-12"}, "engine")
    text = "Mrs Okafor told me that the mornings are bad for her, so make it half past two"
    (call,) = decide(text, changed, ("2",)).calls
    assert call.parameters == {"task_identifier": "3", "new_due_date": "2026-06-16T14:30"}


def test_a_note_is_no_answer_to_which_one() -> None:
    asked = Pending("choose", FINISH, ToolCall(FINISH), "task_identifier", ("2", "5"), "Which one?")
    text = "it: nel rinnovo abbonamento palestra scrivi come nota: chiedere lo sconto"
    (call,) = decide(text, make_call("list_tasks", {}, "engine"), ("2", "5"), asked).calls
    assert (call.tool_name, call.parameters["new_description"]) == (CHANGE, "chiedere lo sconto")


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("sorry, 14 figures", {"new_description": "due at 40 pages, 14 figures"}),
        ("45 pages, sorry", {"new_description": "due at 45 pages, 12 figures"}),
        ("chapter 4, sorry", {"new_title": "Proofread chapter 4"}),
    ],
)
def test_a_number_is_put_right(text: str, given: dict[str, str]) -> None:
    added = make_call(CHANGE, {"task_identifier": "7", "new_description": _TASKS[6].description}, "engine")
    (call,) = decide(text, added, ("7",)).calls
    assert call.parameters == {"task_identifier": "7", **given}


def test_a_number_that_nothing_has_changes_nothing() -> None:
    added = make_call(CHANGE, {"task_identifier": "7", "new_description": _TASKS[6].description}, "engine")
    assert decide("sorry, 14 elephants", added, ("7",)).action != "execute"
