"""Days that are pointed at, that belong to a question or to what stands before them; and how people end."""

from __future__ import annotations

from datetime import datetime

import pytest

from engine.decision import Context, Decision, Message
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call
from tests.engine.reading import make_reader

NOW = datetime(2026, 3, 2, 9)  # noqa: DTZ001 - a wall clock, as the Context has it, on a Monday
_TASKS = (
    Task("1", 1, "Return the library books", due_date="2026-03-19T16:00"),
    Task("2", 2, "Piano tuner", due_date="2026-03-06T10:00"),
    Task("3", 3, "Order gravel", due_date="2026-03-04"),
    Task("4", 4, "Riportare i libri", due_date="2026-03-19T16:00"),
    Task("5", 5, "Ordinare la ghiaia", due_date="2026-03-04"),
    Task("6", 6, "Piano di lavoro", due_date="2026-04-09"),
)
_GRAVEL = {"en": "3", "it": "5"}


def after_change(language: str) -> tuple[Message, ...]:
    target = _GRAVEL[language]
    call = make_call("update_task", {"task_identifier": target, "new_due_date": "2026-03-04"}, "rules")
    return Message("user", "…"), Message("assistant", "…", (target,), (call,))


def after_add(language: str, **values: str) -> tuple[Message, ...]:
    call = make_call("add_task", {"title": "Order gravel", **values}, "rules")
    return Message("user", "…"), Message("assistant", "…", (_GRAVEL[language],), (call,))


def decide(text: str, language: str, history: tuple[Message, ...] = ()) -> Decision:
    return make_reader().decide(text, Context(MemoryIndex(_TASKS), NOW, history, language=language))


def calls(decision: Decision) -> list[tuple[str, dict[str, object]]]:
    return [(call.tool_name, dict(call.parameters)) for call in decision.calls]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "thanks, that's everything for today"),
        ("en", "that will do for now"),
        ("en", "ok that's me done for the day"),
        ("en", "that's enough for tonight, bye"),
        ("it", "per oggi è tutto, grazie"),
        ("it", "basta così per stasera"),
        ("it", "ok, per ora sono a posto"),
    ],
)
def test_who_has_had_enough_moves_nothing(language: str, text: str) -> None:
    decision = decide(text, language, after_change(language))
    assert (decision.calls, decision.pending) == ((), None)


@pytest.mark.parametrize(
    ("language", "text"),
    [("it", "e nevica pure"), ("it", "e fa anche caldo"), ("it", "e sono pure stanco"), ("it", "e grandina anche")],
)
def test_a_remark_with_too_adds_nothing(language: str, text: str) -> None:
    decision = decide(text, language, after_add(language))
    assert (decision.calls, decision.pending) == ((), None)


@pytest.mark.parametrize(
    ("language", "text", "day"),
    [
        ("en", "and on friday, what do I have?", "2026-03-06"),
        ("en", "on friday then, what's on", "2026-03-06"),
        ("it", "venerdì quindi che cosa ho?", "2026-03-06"),
    ],
)
def test_the_day_of_a_question_is_asked_about(language: str, text: str, day: str) -> None:
    ((tool, values),) = calls(decide(text, language, after_change(language)))
    assert (tool, values["due"]) == ("list_tasks", day)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "show me the april tasks"),
        ("en", "list my april appointments"),
        ("it", "mi elenchi gli impegni di aprile"),
        ("it", "fammi vedere le scadenze di aprile"),
    ],
)
def test_things_of_a_month_are_those_of_that_month(language: str, text: str) -> None:
    ((tool, values),) = calls(decide(text, language))
    assert (tool, values["due"]) == ("list_tasks", "2026-04-01/2026-04-30")


def test_a_month_in_a_title_is_a_part_of_it() -> None:
    ((_, values),) = calls(decide("aggiungi pagare le bollette di aprile", "it"))
    assert (values["title"], values.get("due_date")) == ("pagare le bollette di aprile", None)


@pytest.mark.parametrize(
    ("language", "text", "title", "due"),
    [
        ("en", "add post the parcel same day at 5", "post the parcel", "2026-03-04T17:00"),
        ("en", "add post the parcel, same day as the library books", "post the parcel", "2026-03-19"),
        ("en", "remind me to eat, same day and time as the piano tuner", "eat", "2026-03-06T10:00"),
        ("it", "aggiungi spedire il pacco lo stesso giorno alle 17", "spedire il pacco", "2026-03-04T17:00"),
        ("it", "aggiungi spedire il pacco, stesso giorno e ora dei libri", "spedire il pacco", "2026-03-19T16:00"),
        ("it", "aggiungi spedire il pacco, sempre domani ma alle 13", "spedire il pacco", "2026-03-03T13:00"),
    ],
)
def test_a_day_that_is_pointed_at_is_no_part_of_the_title(language: str, text: str, title: str, due: str) -> None:
    ((tool, values),) = calls(decide(text, language, after_change(language)))
    assert (tool, values["title"], values["due_date"]) == ("add_task", title, due)


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("move the piano tuner to the 21st, 3pm", "2026-03-21T15:00"),
        ("move the piano tuner to friday then, 9:30 in the morning", "2026-03-06T09:30"),
    ],
)
def test_a_time_after_the_day_is_of_the_same_change(text: str, due: str) -> None:
    values = {"task_identifier": "2", "new_due_date": due}
    assert calls(decide(text, "en")) == [("update_task", values)]


def test_what_is_pointed_at_before_something_new_is_changed_too() -> None:
    first, second = calls(decide("put it on friday and add call the quarry tomorrow", "en", after_change("en")))
    assert first == ("update_task", {"task_identifier": "3", "new_due_date": "2026-03-06"})
    assert (second[0], second[1]["title"], second[1]["due_date"]) == ("add_task", "call the quarry", "2026-03-03")


@pytest.mark.parametrize(
    ("language", "text", "days"),
    [
        ("en", "add choir on tuesday and pottery on thursday", {"choir": "2026-03-03", "pottery": "2026-03-05"}),
        ("en", "add choir tue 6pm and pottery thu 7pm", {"choir": "2026-03-03T18:00", "pottery": "2026-03-05T19:00"}),
        ("it", "aggiungi coro martedì e ceramica giovedì", {"coro": "2026-03-03", "ceramica": "2026-03-05"}),
    ],
)
def test_two_things_with_a_day_each_are_two(language: str, text: str, days: dict[str, str]) -> None:
    added = calls(decide(text, language, after_change(language)))
    assert {each["title"]: each["due_date"] for _, each in added} == days


@pytest.mark.parametrize(
    ("text", "level"), [("add mend the tap friday, low please", "low"), ("add mend the tap friday, high", "high")]
)
def test_a_level_after_the_last_comma_may_be_polite(text: str, level: str) -> None:
    ((_, values),) = calls(decide(text, "en"))
    assert (values["title"], values["priority"]) == ("mend the tap", level)


def test_the_same_for_another_has_the_level_too() -> None:
    history = after_add("en", due_date="2026-03-04", priority="high")
    ((tool, values),) = calls(decide("same for sand", "en", history))
    assert (tool, values["due_date"], values["priority"]) == ("add_task", "2026-03-04", "high")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("remind me to book the car in for monday", "book the car in"),
        ("put in get the hay in for friday", "get the hay in"),
        ("put call bo in for friday", "call bo"),
        ("pencil the vet in for friday", "vet"),
    ],
)
def test_the_little_word_of_an_errand_stays(text: str, title: str) -> None:
    ((_, values),) = calls(decide(text, "en"))
    assert str(values["title"]).removeprefix("the ") == title


@pytest.mark.parametrize(
    ("language", "text", "due"),
    [
        ("en", "no sorry, thursday, on friday I've got the piano tuner", "2026-03-05"),
        ("it", "no scusa, giovedì, venerdì ho già il piano di lavoro", "2026-03-05"),
    ],
)
def test_a_day_first_is_put_right_whatever_is_named_after_it(language: str, text: str, due: str) -> None:
    values = {"task_identifier": _GRAVEL[language], "new_due_date": due}
    assert calls(decide(text, language, after_change(language))) == [("update_task", values)]


def test_another_thing_that_is_meant_is_no_new_name() -> None:
    decision = decide("no sorry, the piano tuner", "en", after_change("en"))
    ((tool, values),) = calls(decision)
    assert decision.undoes
    assert (tool, values["task_identifier"], values["new_due_date"]) == ("update_task", "2", "2026-03-04")


@pytest.mark.parametrize(
    ("language", "text", "due"),
    [
        ("en", "give it another week", "2026-03-11"),
        ("it", "dagli ancora due giorni", "2026-03-06"),
        ("it", "dagli altri tre giorni", "2026-03-07"),
    ],
)
def test_more_time_moves_it(language: str, text: str, due: str) -> None:
    values = {"task_identifier": _GRAVEL[language], "new_due_date": due}
    assert calls(decide(text, language, after_change(language))) == [("update_task", values)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "just the ones for this week"),
        ("it", "solo quelle di questa settimana"),
        ("en", "on thursday I can't do the piano tuner"),
        ("it", "giovedì non posso per i libri"),
        ("it", "e quello dei libri a che ora era?"),
        ("it", "uff ancora 4 ore"),
    ],
)
def test_a_day_in_passing_moves_nothing(language: str, text: str) -> None:
    decision = decide(text, language, after_change(language))
    assert not [tool for tool, _ in calls(decision) if tool != "list_tasks"]


def test_a_note_may_say_what_is_needed_to_be_done() -> None:
    ((_, values),) = calls(decide("put a note on the piano tuner that I need to move the sofa", "en"))
    assert values["new_description"] == "I need to move the sofa"


@pytest.mark.parametrize(("language", "text"), [("en", "only on friday"), ("it", "solo venerdì")])
def test_what_is_done_gets_no_other_day(language: str, text: str) -> None:
    target = _GRAVEL[language]
    done = make_call("complete_task", {"task_identifier": target}, "rules")
    history = Message("user", "…"), Message("assistant", "…", (target,), (done,))
    assert not [tool for tool, _ in calls(decide(text, language, history)) if tool != "list_tasks"]


@pytest.mark.parametrize(
    ("language", "text", "title"),
    [
        ("en", "oh and also sieve the sand, same time", "sieve the sand"),
        ("it", "e anche di setacciare la sabbia, stesso giorno e stessa ora", "setacciare la sabbia"),
    ],
)
def test_the_same_time_is_the_day_and_the_hour_of_the_one_before(language: str, text: str, title: str) -> None:
    ((tool, values),) = calls(decide(text, language, after_add(language, due_date="2026-03-05T17:00")))
    assert (tool, values["title"], values["due_date"]) == ("add_task", title, "2026-03-05T17:00")


def test_for_a_day_and_then_why_is_put_right() -> None:
    values = {"task_identifier": "5", "new_due_date": "2026-03-08T12:00"}
    decision = decide("per domenica a mezzogiorno, vengono i muratori", "it", after_add("it"))
    assert calls(decision) == [("update_task", values)]


@pytest.mark.parametrize(
    ("language", "text", "title"),
    [
        ("en", "add mend the tap, no date", "mend the tap"),
        ("it", "segna aggiustare il rubinetto, senza data", "aggiustare il rubinetto"),
    ],
)
def test_that_there_is_no_date_is_no_part_of_the_title(language: str, text: str, title: str) -> None:
    ((_, values),) = calls(decide(text, language, after_add(language)))
    assert (values["title"], values.get("due_date")) == (title, None)


def test_what_is_to_be_written_in_the_note_is_nothing_to_do() -> None:
    asked = make_call("list_tasks", {"search": "Riportare i libri"}, "rules")
    history = Message("user", "…"), Message("assistant", "…", ("4",), (asked,))
    ((tool, values),) = calls(decide("devo portare la tessera, scrivilo nella nota", "it", history))
    assert (tool, values["task_identifier"], values["new_description"]) == (
        "update_task",
        "4",
        "devo portare la tessera",
    )


@pytest.mark.parametrize("text", ["What falls due next week?", "what comes due next week"])
def test_what_is_due_in_a_week_is_a_list_whatever_was_spoken_of(text: str) -> None:
    ((tool, values),) = calls(decide(text, "en", after_change("en")))
    assert (tool, values["due"]) == ("list_tasks", "2026-03-09/2026-03-15")


def test_a_number_is_no_name_of_something_new() -> None:
    decision = decide("we need to buy more nappies, size 4 and 5. can you put that on the list?", "en")
    assert [values["title"] for _, values in calls(decision)] == ["buy more nappies, size 4 and 5"]


def test_who_tells_what_there_is_goes_on_with_nothing() -> None:
    decision = decide("There's a boy here drawing the excavator. Quite good, too.", "en", after_add("en"))
    assert (decision.calls, decision.pending) == ((), None)
