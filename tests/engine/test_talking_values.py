"""What a change in the middle of a conversation takes from the message, and what it leaves as it was."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest

from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Context, Decision, Message, Pending
from engine.outcome.previews import preview
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call

NOW = datetime(2026, 6, 10, 10)  # noqa: DTZ001 - a wall clock, as the Context has it
_DECIDER = RuleDecider(load_domain())
_STORE = {
    "en": (
        Task("1", 1, "Collect the results", due_date="2026-06-12"),
        Task("2", 2, "Lunch with Maria", due_date="2026-06-12T13:00"),
        Task("3", 3, "Dentist", due_date="2026-06-15T09:00", priority="high"),
        Task("4", 4, "Walk the dog", due_date="2026-06-11T17:00", priority="low"),
        Task("5", 5, "Water the plants", status="completed"),
    ),
    "it": (
        Task("1", 1, "Ritirare le analisi", due_date="2026-06-12"),
        Task("2", 2, "Pranzo con Maria", due_date="2026-06-12T13:00"),
        Task("3", 3, "Dentista", due_date="2026-06-15T09:00", priority="high"),
        Task("4", 4, "Portare fuori il cane", due_date="2026-06-11T17:00", priority="low"),
        Task("5", 5, "Annaffiare le piante", status="completed"),
    ),
}


def decide(
    text: str, language: str, done: tuple[str, dict[str, Any], Sequence[str]], pending: Pending | None = None
) -> Decision:
    tool, parameters, named = done
    call = make_call(tool, parameters, "conversation")
    history = (Message("user", "x"), Message("assistant", "ok", tuple(named), (call,)))
    return _DECIDER.decide(text, Context(MemoryIndex(_STORE[language]), NOW, history, pending, language=language))


def calls_of(decision: Decision) -> list[dict[str, object]]:
    """What is done, or would be after a yes."""
    calls = decision.calls or ((decision.pending.call, *decision.pending.then) if decision.pending else ())
    return [{"tool": call.tool_name, **call.parameters} for call in calls]


def change(task: str, **new: object) -> dict[str, object]:
    return {"tool": "update_task", "task_identifier": task, **new}


_MOVED_LUNCH = ("update_task", {"task_identifier": "2", "new_due_date": "2026-06-12T13:00"}, ("2",))
_ADDED = ("add_task", {"title": "x", "due_date": "2026-06-12"}, ("1",))


@pytest.mark.parametrize(
    ("text", "language", "hour"),
    [
        ("make it 6", "en", "18:00"),
        ("sorry, half past two", "en", "14:30"),
        ("2, not 1", "en", "14:00"),
        ("facciamo le due", "it", "14:00"),
        ("le due, non l'una", "it", "14:00"),
    ],
)
def test_a_bare_hour_is_one_where_the_task_has_an_hour(text: str, language: str, hour: str) -> None:
    assert calls_of(decide(text, language, _MOVED_LUNCH)) == [change("2", new_due_date=f"2026-06-12T{hour}")]


@pytest.mark.parametrize("text", ["make it 6 eggs", "there were 6 people"])
def test_a_number_that_counts_something_is_no_hour(text: str) -> None:
    assert not any("new_due_date" in call for call in calls_of(decide(text, "en", _MOVED_LUNCH)))


@pytest.mark.parametrize(("text", "language"), [("at nine", "en"), ("alle nove", "it")])
def test_an_hour_of_another_day_is_the_usual_one(text: str, language: str) -> None:
    """It is past nine now: that says nothing about Friday."""
    assert calls_of(decide(text, language, _ADDED)) == [change("1", new_due_date="2026-06-12T09:00")]


@pytest.mark.parametrize(("text", "language"), [("no, at eight", "en"), ("no, alle otto", "it")])
def test_what_is_put_right_about_an_offer_keeps_its_day(text: str, language: str) -> None:
    offered = make_call("update_task", {"task_identifier": "1", "new_due_date": "2026-06-12T09:00"}, "words")
    pending = Pending("confirm", "update_task", offered, question="?")
    decision = decide(text, language, _ADDED, pending)
    assert calls_of(decision) == [change("1", new_due_date="2026-06-12T08:00")]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("lunch can't be on friday, it is on monday", "en"),
        ("il pranzo non è venerdì, è lunedì", "it"),
    ],
)
def test_a_day_that_is_denied_is_not_the_new_one(text: str, language: str) -> None:
    assert calls_of(decide(text, language, _MOVED_LUNCH)) == [change("2", new_due_date="2026-06-15T13:00")]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("move the lunch to monday and the dentist to tuesday", "en"),
        ("sposta il pranzo a lunedì e il dentista a martedì", "it"),
    ],
)
def test_each_task_gets_its_own_day(text: str, language: str) -> None:
    assert calls_of(decide(text, language, _ADDED)) == [
        change("2", new_due_date="2026-06-15T13:00"),
        change("3", new_due_date="2026-06-16T09:00"),
    ]


@pytest.mark.parametrize(("text", "language"), [("and the rest?", "en"), ("e le altre?", "it")])
@pytest.mark.parametrize(
    ("asked", "shown", "rest"),
    [
        ({"priority": "high"}, ("3",), [{"filter": "pending", "priority": p} for p in ("medium", "low")]),
        ({"filter": "completed"}, ("5",), [{"filter": "pending"}]),
        ({"filter": "pending", "limit": 2}, ("4", "1"), [{"filter": "pending", "offset": 2}]),
    ],
    ids=["a level", "done", "a page"],
)
def test_the_rest_of_a_list(
    text: str, language: str, asked: dict[str, Any], shown: tuple[str, ...], rest: list[dict[str, object]]
) -> None:
    decision = decide(text, language, ("list_tasks", asked, shown))
    assert calls_of(decision) == [{"tool": "list_tasks", **each} for each in rest]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("yes get rid of it, and move the lunch to monday", "en"),
        ("sì toglilo, e sposta il pranzo a lunedì", "it"),
    ],
)
def test_a_yes_in_more_words_with_something_more(text: str, language: str) -> None:
    waits = make_call("delete_task", {"task_identifier": "3"}, "words")
    pending = Pending("confirm", "delete_task", waits, question="?")
    assert calls_of(decide(text, language, _MOVED_LUNCH, pending)) == [
        {"tool": "delete_task", "task_identifier": "3"},
        change("2", new_due_date="2026-06-15T13:00"),
    ]


def test_an_offer_says_what_would_be_done() -> None:
    decision = _DECIDER.decide("pottery class thursday", Context(MemoryIndex(_STORE["en"]), NOW, language="en"))
    assert decision.pending is not None
    assert "'pottery class', due tomorrow" in decision.message


@pytest.mark.parametrize(
    ("text", "language", "title"),
    [
        ("not with Maria, with Anna", "en", "Lunch with Anna"),
        ("it's Anna, not Maria", "en", "Lunch with Anna"),
        ("dinner with Maria, not lunch", "en", "dinner with Maria"),
        ("non con Maria, con Anna", "it", "Pranzo con Anna"),
        ("è una cena, non un pranzo", "it", "cena con Maria"),
    ],
)
def test_a_part_of_a_name_is_put_right_and_the_rest_stays(text: str, language: str, title: str) -> None:
    assert calls_of(decide(text, language, _MOVED_LUNCH)) == [change("2", new_title=title)]


@pytest.mark.parametrize(
    ("text", "language"), [("same day as the dentist", "en"), ("lo stesso giorno del dentista", "it")]
)
def test_the_day_of_another_task(text: str, language: str) -> None:
    assert calls_of(decide(text, language, _ADDED)) == [change("1", new_due_date="2026-06-15")]


@pytest.mark.parametrize(("text", "language"), [("no, not the plants", "en"), ("no, le piante no", "it")])
def test_what_was_not_done_after_all_is_open_again(text: str, language: str) -> None:
    done = ("complete_task", {"task_identifier": "5"}, ("5",))
    assert calls_of(decide(text, language, done)) == [change("5", new_status="pending")]


@pytest.mark.parametrize(
    ("text", "language"), [("another one on the 23rd", "en"), ("un altro martedì 23 alla stessa ora", "it")]
)
def test_another_one_of_the_same(text: str, language: str) -> None:
    added = ("add_task", {"title": _STORE[language][1].title, "due_date": "2026-06-12T13:00"}, ("2",))
    title = _STORE[language][1].title
    assert calls_of(decide(text, language, added)) == [
        {"tool": "add_task", "title": title, "due_date": "2026-06-23T13:00"}
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [("scrap that, and delete the dentist", "en"), ("come non detto, ed elimina il dentista", "it")],
)
def test_nothing_is_deleted_unasked_after_something_is_taken_back(text: str, language: str) -> None:
    decision = decide(text, language, _ADDED)
    assert decision.action != "execute" or "delete_task" not in [call.tool_name for call in decision.calls]


def test_an_offer_to_take_the_date_away_says_so() -> None:
    offered = make_call("update_task", {"task_identifier": "1", "new_due_date": "none"}, "words")
    policy = _DECIDER.policy_of("x", Context(MemoryIndex(_STORE["en"]), NOW, language="en"))
    context = Context(MemoryIndex(_STORE["en"]), NOW, language="en")
    assert preview(policy, "update_task", offered, context) == "change 'Collect the results', no due date"
