"""What stands before "it" in the same message, by how much something is moved, and what is put down for a day:
all right after something else was changed, which is not what is meant."""

from __future__ import annotations

from datetime import datetime

import pytest

from engine.decision import Context, Decision, Message
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call
from tests.engine.reading import make_reader

NOW = datetime(2026, 1, 22, 8)  # noqa: DTZ001 - a wall clock, as the Context has it
_TASKS = (
    Task("1", 1, "Buy felt strips"),
    Task("2", 2, "Ring Mrs Okafor", due_date="2026-01-26T11:30"),
    Task("3", 3, "Return empty trays to the Swan"),
    Task("4", 4, "Eye test", due_date="2026-01-28T14:20"),
    Task("5", 5, "Preventivo auto Lodi"),
    Task("6", 6, "Consegna al mercato", due_date="2026-02-02T04:00"),
)
_CALLED = make_call("update_task", {"task_identifier": "2", "new_priority": "high"}, "rules")
_BEFORE = Message("user", "…"), Message("assistant", "…", ("2",), (_CALLED,))
_TWO_LISTED = Message("user", "…"), Message("assistant", "…", ("2", "4"))


def decide(text: str, language: str = "en", history: tuple[Message, ...] = _BEFORE) -> Decision:
    return make_reader().decide(text, Context(MemoryIndex(_TASKS), NOW, history, language=language))


def calls(decision: Decision) -> list[tuple[str, dict[str, object]]]:
    return [(call.tool_name, dict(call.parameters)) for call in decision.calls]


@pytest.mark.parametrize("history", [_BEFORE, _TWO_LISTED], ids=["one changed", "two listed"])
@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "felt strips, make that high", {"task_identifier": "1", "new_priority": "high"}),
        ("en", "the eye test, push it to 3pm", {"task_identifier": "4", "new_due_date": "2026-01-28T15:00"}),
        ("it", "il preventivo lodi mettilo a priorità alta", {"task_identifier": "5", "new_priority": "high"}),
        ("it", "il 2 è festa, la consegna spostala al 3 stessa ora",
         {"task_identifier": "6", "new_due_date": "2026-02-03T04:00"}),
    ],
)  # fmt: skip
def test_it_is_what_the_message_names_first(
    language: str, text: str, wanted: dict[str, object], history: tuple[Message, ...]
) -> None:
    assert calls(decide(text, language, history)) == [("update_task", wanted)]


def test_a_second_word_for_the_same_is_not_one_more() -> None:
    assert calls(decide("trays, those are done")) == [("complete_task", {"task_identifier": "3"})]


@pytest.mark.parametrize(
    ("language", "text", "due"),
    [
        ("en", "delay the eye test by two days", "2026-01-30T14:20"),
        ("en", "put the eye test back a day", "2026-01-29T14:20"),
        ("en", "put the eye test off a week", "2026-02-04T14:20"),
        ("en", "move the eye test to the week after, same day and same time", "2026-02-04T14:20"),
        ("it", "rimanda la consegna al mercato di due giorni", "2026-02-04T04:00"),
        ("it", "posticipa la consegna al mercato di una settimana", "2026-02-09T04:00"),
    ],
)
def test_by_how_much_is_no_hour(language: str, text: str, due: str) -> None:
    assert [values["new_due_date"] for _, values in calls(decide(text, language))] == [due]


def test_the_hour_that_does_not_suit_is_not_the_new_one() -> None:
    assert [values.get("new_due_date") for _, values in calls(decide("make it 1pm, she's never in at 11.30"))] == [
        "2026-01-26T13:00"
    ]


def test_an_amount_in_a_note_gives_no_hour() -> None:
    wanted = {"task_identifier": "2", "new_description": "8 kg oyster"}
    assert calls(decide("change the note to 8 kg oyster")) == [("update_task", wanted)]


@pytest.mark.parametrize(
    ("language", "text", "title", "due"),
    [
        ("en", "Could you put down that the photographer is coming on Thursday at 9.30?", "photographer is coming",
         "2026-01-29T09:30"),
        ("en", "put down a reminder to check whether Mr Abara has replied, a week from today",
         "check whether Mr Abara has replied", "2026-01-29"),
        ("en", "I need to ring the bank, put that in for friday", "ring the bank", "2026-01-23"),
        ("it", "Buongiorno, potresti segnare che oggi alle 15 passa il rappresentante?", "passa il rappresentante",
         "2026-01-22T15:00"),
        ("it", "segnami che devo pagare la multa venerdì", "pagare la multa", "2026-01-23"),
    ],
)  # fmt: skip
def test_what_is_put_down_for_a_day_is_something_new(language: str, text: str, title: str, due: str) -> None:
    assert calls(decide(text, language)) == [("add_task", {"title": title, "due_date": due})]


def test_a_word_for_adding_changes_nothing_that_was_spoken_of() -> None:
    decision = decide("add restring the upright at st annes monday, low prio")
    assert decision.intent == "add_task"


def test_what_puts_it_off_is_about_what_was_spoken_of() -> None:
    assert [values["new_due_date"] for _, values in calls(decide("they can't do monday, put it in for friday"))] == [
        "2026-01-23T11:30"
    ]


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("they come on the 28th. Add get the garden room ready for the 27th", "2026-01-27"),
        ("the party is on saturday so put in buy candles for friday", "2026-01-23"),
    ],
)
def test_something_new_is_due_on_the_day_that_is_said_with_it(text: str, due: str) -> None:
    assert [values["due_date"] for _, values in calls(decide(text))] == [due]


@pytest.mark.parametrize(
    ("language", "text", "due"),
    [
        ("en", "what's on today and tomorrow", "2026-01-22/2026-01-23"),
        ("en", "Is there anything due after the 26th?", "2026-01-27/.."),
        ("en", "what's on before wednesday", "../2026-01-27"),
        ("it", "cosa ho oggi e domani", "2026-01-22/2026-01-23"),
        ("it", "cosa ho dopo il 26?", "2026-01-27/.."),
    ],
)
def test_a_list_has_the_days_that_are_asked_for_and_changes_nothing(language: str, text: str, due: str) -> None:
    found = calls(decide(text, language))
    assert [(name, values["due"]) for name, values in found] == [("list_tasks", due)]
    assert "offset" not in found[0][1]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("for the eye test: fasting from 8", "fasting from 8"),
        ("eye test: bring the old glasses", "bring the old glasses"),
    ],
)
def test_what_stands_after_a_name_and_a_colon_is_its_note(text: str, note: str) -> None:
    assert calls(decide(text)) == [("update_task", {"task_identifier": "4", "new_description": note})]


@pytest.mark.parametrize(
    ("text", "tool", "value"),
    [
        ("eye test: friday", "update_task", {"new_due_date": "2026-01-23T14:20"}),
        ("eye test: low priority", "update_task", {"new_priority": "low"}),
        ("eye test: done", "complete_task", {}),
    ],
)
def test_unless_it_says_what_shall_be_different(text: str, tool: str, value: dict[str, object]) -> None:
    assert calls(decide(text)) == [(tool, {"task_identifier": "4", **value})]


@pytest.mark.parametrize("text", ["thanks thats me done for today", "there's the bell, must dash"])
def test_who_takes_leave_changes_nothing(text: str) -> None:
    assert decide(text).action != "execute"


def test_both_is_no_hour() -> None:
    found = calls(decide("spostale tutte e due a venerdì", "it", _TWO_LISTED))
    assert {str(values["new_due_date"])[:10] for _, values in found} == {"2026-01-23"}
    assert not any("14:00" in str(values["new_due_date"]) for _, values in found)
