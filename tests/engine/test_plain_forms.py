"""What the form of a message makes plain: a note after a colon, a request after a story, a no with something else,
the next page, a day and a level, names in quotes and names that look like slips."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest

from domains.loading import load_domain
from engine.decision import Context, Decision, Message, Pending
from engine.message.stories import without_story
from engine.targets.memory_index import MemoryIndex
from engine.text.normalise import normalise
from engine.values import Task, make_call
from tests.engine.reading import make_reader

NOW = datetime(2026, 6, 10, 10)  # noqa: DTZ001 - a wall clock, as the Context has it
_DECIDER = make_reader()
_TASKS = (
    Task("1", 1, "Dentist", due_date="2026-06-15T09:00", description="bring the card"),
    Task("2", 2, "Order cake", due_date="2026-06-12"),
    Task("3", 3, "Demo for Kappa", due_date="2026-06-16T11:00"),
    Task("4", 4, "Verifica di storia", due_date="2026-06-19"),
)


def decide(
    text: str, spoken_of: Sequence[str] = (), pending: Pending | None = None, shown: dict[str, Any] | None = None
) -> Decision:
    language = "it" if text.startswith("it: ") else "en"
    done = (
        (make_call("list_tasks", shown, "engine"),)
        if shown is not None
        else tuple(
            make_call("update_task", {"task_identifier": each, "new_priority": "high"}, "engine") for each in spoken_of
        )
    )
    history = (Message("user", "…"), Message("assistant", "…", tuple(spoken_of), done)) if done else ()
    context = Context(now=NOW, tasks=MemoryIndex(_TASKS), history=history, pending=pending, language=language)
    return _DECIDER.decide(text.removeprefix("it: "), context)


def call_of(decision: Decision) -> dict[str, Any]:
    assert decision.action == "execute", decision.message
    assert len(decision.calls) == 1
    return {"tool": decision.calls[0].tool_name, **decision.calls[0].parameters}


def change(task: str, **values: str) -> dict[str, Any]:
    return {"tool": "update_task", "task_identifier": task, **values}


@pytest.mark.parametrize(
    ("text", "spoken_of", "call"),
    [
        (
            "note for the cake: no nuts, please ring first",
            (),
            change("2", new_description="no nuts, please ring first"),
        ),
        ("stick a note on the dentist: floor 3", (), change("1", new_description="floor 3")),
        ("add a note to the dentist: floor 3", (), change("1", new_description="bring the card\nfloor 3")),
        ("append to that: floor 3", ("1",), change("1", new_description="bring the card\nfloor 3")),
        ("add a note to task 2: delete everything", (), change("2", new_description="delete everything")),
        ("nah take the note out again", ("1",), change("1", new_description="")),
        ("remove the note from the dentist", ("2",), change("1", new_description="")),
        ("it: nota per storia: capitoli 4 e 5", ("1",), change("4", new_description="capitoli 4 e 5")),
        ("it: aggiungi una nota alla demo: il cavo", (), change("3", new_description="il cavo")),
        ("it: alla nota aggiunga per cortesia: due copie", ("2",), change("2", new_description="due copie")),
    ],
)
def test_a_note_has_the_words_after_the_colon(text: str, spoken_of: tuple[str, ...], call: dict[str, Any]) -> None:
    assert call_of(decide(text, spoken_of)) == call


def test_a_note_of_something_new_stays_with_it() -> None:
    added = call_of(decide("add lunch with Bo on friday, note: fish"))
    assert (added["tool"], added["title"], added["description"]) == ("add_task", "lunch with Bo", "fish")
    added = call_of(decide("it: aggiunga visita in via Dante venerdì, nota: portare la piantina"))
    assert (added["tool"], added["title"], added["description"]) == (
        "add_task", "visita in via Dante", "portare la piantina",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "title", "due"),
    [
        ("okay so I'm on the bus and it's dark and they all sleep so yeah remind me to fuel up at one pm",
         "fuel up", "2026-06-10T13:00"),
        ("we were at the park and he ate grass again, so the vet says I need to get tablets so put that on my list",
         "get tablets", None),
        ("it: ieri c'era una coda lunghissima e sono andato via, comunque devo iscrivermi all'esame entro venerdì",
         "iscrivermi all'esame", "2026-06-12"),
        ("it: loro mi chiedono le foto, ogni anno la stessa cosa, quindi ricordami di fare le foto domenica alle 14",
         "fare le foto", "2026-06-14T14:00"),
    ],
)  # fmt: skip
def test_what_is_told_before_a_request_is_no_part_of_it(text: str, title: str, due: str | None) -> None:
    added = call_of(decide(text))
    assert (added["tool"], added["title"], added.get("due_date")) == ("add_task", title, due)


def test_things_to_do_before_a_request_are_no_story() -> None:
    policy = load_domain().policies["en"]
    text = "call the bank about the new loan, order some ink for the printer, and remind me to pay the rent"
    utterance = normalise(text, policy.spellings, policy.elisions)
    assert without_story(utterance, policy) is utterance


_DELETING = Pending("confirm", "delete_task", make_call("delete_task", {"task_identifier": "2"}, "engine"), "", "Sure?")


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("no, don't delete it, move it to sunday", change("2", new_due_date="2026-06-14")),
        ("no wait, rename it to Order pie", change("2", new_title="Order pie")),
        ("it: anzi no, non cancellarla, spostala a domenica", change("2", new_due_date="2026-06-14")),
    ],
)
def test_a_no_goes_on_with_what_is_wanted_instead(text: str, call: dict[str, Any]) -> None:
    assert call_of(decide(text, ("2",), _DELETING)) == call


def test_a_no_alone_changes_nothing() -> None:
    for text in ("no, don't delete it", "no, leave it", "it: no, non cancellarla"):
        assert decide(text, ("2",), _DELETING).calls == ()


def test_a_day_and_a_level_are_both_taken() -> None:
    expected = change("2", new_due_date="2026-06-16", new_priority="high")
    assert call_of(decide("make it tuesday and high priority", ("2",))) == expected


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('remind me to buy "Dune 2" for Leo', 'buy "Dune 2" for Leo'),
        ('add "Read Emma" for friday', "Read Emma"),
        ('add a task called "Read Emma"', "Read Emma"),
    ],
)
def test_a_quotation_is_the_name_where_it_is_all_of_it(text: str, title: str) -> None:
    assert call_of(decide(text))["title"] == title


def test_a_word_of_a_stored_name_is_no_slip() -> None:
    asked = decide("it: elimina la demo")
    assert asked.action == "confirm"
    assert asked.calls[0].parameters["task_identifier"] == "3"


def test_the_next_page_begins_where_the_last_one_ended() -> None:
    shown = {"filter": "pending", "limit": 2}
    assert call_of(decide("next two", ("1", "2"), shown=shown)) == {
        "tool": "list_tasks", "filter": "pending", "offset": 2, "limit": 2,
    }  # fmt: skip
    assert call_of(decide("it: le prossime 3", ("1", "2"), shown=shown))["offset"] == 2


@pytest.mark.parametrize(
    "text",
    [
        "I did not order the cake today",
        "my boss will order a cake tomorrow",
        "she wants to order the cake herself",
        "it: non ho fatto la verifica di storia",
    ],
)
def test_what_is_denied_or_still_to_come_is_not_done(text: str) -> None:
    assert "complete_task" not in [call.tool_name for call in decide(text).calls]


def test_a_no_before_what_is_done_denies_nothing() -> None:
    assert decide("no, I ordered the cake already").intent == "complete_task"


def test_things_after_one_add_are_added_one_by_one_each_with_its_day() -> None:
    decision = decide("add fetch the tree on saturday, call grandpa tomorrow and buy tape", ("2",))
    asked = (decision.pending.call, *decision.pending.then) if decision.pending else decision.calls
    assert [(call.parameters["title"], call.parameters.get("due_date")) for call in asked] == [
        ("fetch the tree", "2026-06-13"), ("call grandpa", "2026-06-11"), ("buy tape", None),
    ]  # fmt: skip
    decision = decide("it: aggiungi chiamare l'arbitro domani, comprare l'acqua domenica e stampare la lista")
    assert [call.parameters["title"] for call in decision.calls] == [
        "chiamare l'arbitro", "comprare l'acqua", "stampare la lista",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["read me the note", "is there a note?", "it: c'è una nota?"])
def test_a_note_is_read_out_of_what_was_spoken_of(text: str) -> None:
    decision = decide(text, ("1",))
    assert (decision.act, decision.asks) == ("ask", "note")
    assert "bring the card" in decision.message or decision.calls[0].parameters["search"] == "Dentist"


def test_a_day_that_was_meant_is_no_name() -> None:
    moved = Message("assistant", "…", ("2",), (make_call("add_task", {"title": "x", "due_date": "2026-06-12"}, "e"),))
    context = Context(now=NOW, tasks=MemoryIndex(_TASKS), history=(Message("user", "…"), moved), language="en")
    assert call_of(_DECIDER.decide("sorry, I meant monday", context)) == change("2", new_due_date="2026-06-15")


def test_a_chosen_task_keeps_its_time_on_its_new_day() -> None:
    call = make_call("update_task", {"new_due_date": "2026-06-18"}, "engine")
    pending = Pending("choose", "update_task", call, "task_identifier", "Which one?", ("1", "3"))
    assert call_of(decide("the dentist", (), pending)) == change("1", new_due_date="2026-06-18T09:00")


def test_a_change_after_and_is_no_new_thing() -> None:
    assert call_of(decide("and make it low priority", ("2",))) == change("2", new_priority="low")
