"""What is put right, gone on with or taken back, with the reason beside it; and which number a name has."""

from __future__ import annotations

from datetime import datetime

import pytest

from domains.deciders import make_engine
from engine.decision import Context, Decision, Message
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call

NOW = datetime(2026, 6, 10, 10)  # noqa: DTZ001 - a wall clock, as the Context has it
_TASKS = (
    Task("1", 1, "Finish flashcards", due_date="2026-06-13"),
    Task("2", 2, "Match at Otley", description="bring whistle"),
    Task("3", 3, "Flat 3 boiler"),
    Task("4", 4, "Lesson with Tom", due_date="2026-06-12T17:00"),
    Task("5", 5, "Lesson with Jo", due_date="2026-06-13T17:30"),
    Task("6", 6, "Pay rent"),
)


def did(task: str, tool: str, **arguments: object) -> tuple[Message, ...]:
    call = make_call(tool, {"task_identifier": task, **arguments}, "rules")
    return Message("user", "…"), Message("assistant", "…", (task,), (call,))


_MOVED = did("1", "update_task", new_due_date="2026-06-13")
_NOTED = did("2", "update_task", new_description="bring whistle")


def decide(text: str, *history: Message, language: str = "en") -> Decision:
    return make_engine().decide(text, Context(MemoryIndex(_TASKS), NOW, history, language=language))


@pytest.mark.parametrize(
    ("language", "text", "day"),
    [
        ("en", "wait no friday, im at kims on saturday", "2026-06-12"),
        ("en", "oh no sunday then, saturday I am away", "2026-06-14"),
        ("en", "no wait make it friday, Kim comes on saturday", "2026-06-12"),
        ("it", "no meglio oggi, sabato non esco", "2026-06-10"),
        ("it", "no aspetta venerdì, sabato sono da mia madre", "2026-06-12"),
    ],
)
def test_the_day_comes_first_and_then_why(language: str, text: str, day: str) -> None:
    decision = decide(text, *_MOVED, language=language)
    assert [call.parameters for call in decision.calls] == [{"task_identifier": "1", "new_due_date": day}]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "no wait undo, I have a meeting on the 13th"),
        ("en", "no, Kim has them already, undo that"),
        ("it", "annulla, il 13 ho la riunione"),
        ("it", "no, ce le ha già Kim, annulla"),
    ],
)
def test_what_is_taken_back_may_have_its_reason_before_or_after(language: str, text: str) -> None:
    decision = decide(text, *_MOVED, language=language)
    assert (decision.action, decision.act) == ("execute", "undo")


def test_who_was_wrong_and_says_the_right_day_takes_nothing_back() -> None:
    decision = decide("No, mi sono sbagliato, flashcards domani.", *_MOVED, language="it")
    assert [call.parameters["new_due_date"] for call in decision.calls] == ["2026-06-11"]


@pytest.mark.parametrize(
    ("language", "text", "more"),
    [
        ("en", "and spare laces", "spare laces"),
        ("en", "also the red socks", "the red socks"),
        ("it", "e biscotti", "biscotti"),
    ],
)
def test_what_follows_a_note_goes_on_with_it(language: str, text: str, more: str) -> None:
    decision = decide(text, *_NOTED, language=language)
    assert [call.parameters["new_description"] for call in decision.calls] == [f"bring whistle\n{more}"]


@pytest.mark.parametrize("text", ["and buy milk", "and what's on friday", "and the rent is paid", "and thanks"])
def test_what_asks_for_something_else_is_no_part_of_the_note(text: str) -> None:
    assert not [call for call in decide(text, *_NOTED).calls if "new_description" in call.parameters]


@pytest.mark.parametrize(
    "text", ["flat 4 boiler is fixed", "mark flat 4 boiler as done", "move flat 4 boiler to friday"]
)
def test_another_number_is_another_thing(text: str) -> None:
    assert decide(text).calls == ()


@pytest.mark.parametrize(
    ("text", "due"),
    [("move the lesson to 18:00", "2026-06-13T18:00"), ("move the lesson to monday", "2026-06-15T17:30")],
)
def test_what_was_not_said_stays_as_it_was_once_it_is_known_whose_it_is(text: str, due: str) -> None:
    asked = decide(text)
    assert asked.pending is not None
    assert set(asked.pending.options) == {"4", "5"}
    history = Message("user", text), Message("assistant", asked.message, ("4", "5"))
    context = Context(MemoryIndex(_TASKS), NOW, history, asked.pending, language="en")
    assert [call.parameters for call in make_engine().decide("Jo's", context).calls] == [
        {"task_identifier": "5", "new_due_date": due}
    ]


@pytest.mark.parametrize("text", ["is rent paid", "was the rent paid", "is the rent paid?"])
def test_a_question_without_its_sign_finishes_nothing(text: str) -> None:
    decision = decide(text)
    assert [call.tool_name for call in decision.calls] == ["list_tasks"]
    assert "still open" in decision.message


@pytest.mark.parametrize("text", ["what's still open?", "whats still open", "what is still to be done?"])
def test_what_is_open_is_a_list_also_right_after_a_change(text: str) -> None:
    decision = decide(text, *_MOVED)
    assert [(call.tool_name, call.parameters) for call in decision.calls] == [("list_tasks", {"filter": "pending"})]


@pytest.mark.parametrize(
    ("language", "text", "due"),
    [
        ("en", "move flashcards to friday, he's got a party on sunday", "2026-06-12"),
        ("en", "move flashcards to friday, I mean saturday", "2026-06-13"),
        ("it", "sposta flashcards a venerdì alle 20 e 30", "2026-06-12T20:30"),
        ("it", "sposta flashcards a venerdì alle nove e mezza", "2026-06-12T09:30"),
    ],
)
def test_the_day_of_a_remark_is_not_taken_and_a_time_is_taken_whole(language: str, text: str, due: str) -> None:
    (call,) = decide(text, language=language).calls
    assert call.parameters == {"task_identifier": "1", "new_due_date": due}


@pytest.mark.parametrize(
    ("language", "text", "title"),
    [
        ("en", "can you put order the worktop for monday, high priority", "order the worktop"),
        ("it", "mettimi contare i giubbotti per lunedì, priorità alta", "contare i giubbotti"),
    ],
)
def test_a_thing_to_do_that_is_put_down_with_a_level_is_added(language: str, text: str, title: str) -> None:
    (call,) = decide(text, language=language).calls
    assert call.parameters == {"title": title, "due_date": "2026-06-15", "priority": "high"}


def test_a_deed_that_is_put_down_is_another_than_one_with_another_verb() -> None:
    (call,) = decide("put in print flashcards for monday").calls
    assert call.parameters == {"title": "print flashcards", "due_date": "2026-06-15"}


def test_what_is_written_down_for_something_stored_is_its_note() -> None:
    (call,) = decide("for the match write down: red shirts, no studs").calls
    assert call.parameters["task_identifier"] == "2"
    assert str(call.parameters["new_description"]).endswith("red shirts, no studs")


@pytest.mark.parametrize("text", ["set flashcards to high priority", "put finish flashcards at high priority"])
def test_a_level_that_is_set_is_no_new_thing(text: str) -> None:
    (call,) = decide(text).calls
    assert call.parameters == {"task_identifier": "1", "new_priority": "high"}


@pytest.mark.parametrize(
    ("language", "text", "title", "due"),
    [
        ("en", "friday buy dry bags", "buy dry bags", "2026-06-12"),
        ("it", "sabato chiamare Ugo", "chiamare Ugo", "2026-06-13"),
    ],
)
def test_a_day_before_a_deed_is_its_day(language: str, text: str, title: str, due: str) -> None:
    (call,) = decide(text, language=language).calls
    assert call.parameters == {"title": title, "due_date": due}


def test_how_often_is_not_when() -> None:
    assert decide("These girls change their minds every five minutes, honestly", *_MOVED).calls == ()


def test_a_value_may_be_followed_by_why() -> None:
    (call,) = decide("change it to tomorrow, I am at the post office then", *_MOVED).calls
    assert call.parameters == {"task_identifier": "1", "new_due_date": "2026-06-11"}
