"""Plain sentences, as the first of a conversation and right after another change: what is put on a day, asked, told of
the day, wished and then put down; and what must change nothing."""

from __future__ import annotations

from datetime import datetime

import pytest

from domains.deciders import make_engine
from engine.decision import Context, Decision, Message, Pending
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call

NOW = datetime(2026, 3, 2, 9)  # noqa: DTZ001 - a wall clock, as the Context has it, on a Monday
_TASKS = (
    Task("1", 1, "Swimming lesson", due_date="2026-03-05T17:00"),
    Task("2", 2, "Wrap the presents"),
    Task("3", 3, "Ask for the insurance papers", due_date="2026-03-03"),
    Task("4", 4, "Corso di nuoto", due_date="2026-03-05T17:00"),
    Task("5", 5, "Potare la siepe"),
    Task("6", 6, "Visita di Nora", due_date="2026-03-06"),
    Task("7", 7, "Water the ferns"),
)
_FINISHED = make_call("complete_task", {"task_identifier": "7"}, "rules")
AFTER_ANOTHER = Message("user", "…"), Message("assistant", "…", ("7",), (_FINISHED,))
BOTH = pytest.mark.parametrize("history", [(), AFTER_ANOTHER], ids=["first", "after another"])


def decide(text: str, history: tuple[Message, ...], language: str, pending: Pending | None = None) -> Decision:
    return make_engine().decide(text, Context(MemoryIndex(_TASKS), NOW, history, pending, language=language))


def calls(decision: Decision) -> list[tuple[str, dict[str, object]]]:
    return [(call.tool_name, dict(call.parameters)) for call in decision.calls]


@BOTH
@pytest.mark.parametrize(
    ("language", "text", "title", "due"),
    [
        ("en", "put meeting at 4", "meeting", "2026-03-02T16:00"),
        ("en", "put vet wednesday 10am", "vet", "2026-03-04T10:00"),
        ("en", "pop the chimney sweep in for friday", "chimney sweep", "2026-03-06"),
        ("en", "can you put in mending the fence for saturday", "mending the fence", "2026-03-07"),
        ("it", "metti colloquio alle 16", "colloquio", "2026-03-02T16:00"),
        ("it", "metti il veterinario mercoledì", "veterinario", "2026-03-04"),
        ("it", "segnami spazzacamino venerdì alle 9", "spazzacamino", "2026-03-06T09:00"),
    ],
)
def test_what_is_put_on_a_day_and_not_stored_is_new(
    history: tuple[Message, ...], language: str, text: str, title: str, due: str
) -> None:
    ((tool, values),) = calls(decide(text, history, language))
    assert (tool, str(values["title"]).removeprefix("the "), values["due_date"]) == ("add_task", title, due)


@BOTH
@pytest.mark.parametrize(
    ("language", "text", "task", "due"),
    [
        ("en", "put the swimming lesson on friday", "1", "2026-03-06T17:00"),
        ("it", "metti la visita di Nora a lunedì 9", "6", "2026-03-09"),
    ],
)
def test_what_is_put_on_a_day_and_stored_is_moved(
    history: tuple[Message, ...], language: str, text: str, task: str, due: str
) -> None:
    assert calls(decide(text, history, language)) == [("update_task", {"task_identifier": task, "new_due_date": due})]


def test_what_is_pointed_at_is_not_new() -> None:
    assert calls(decide("put it on friday", AFTER_ANOTHER, "en"))[0][0] == "update_task"


@pytest.mark.parametrize(
    ("language", "text", "title"),
    [
        ("en", "add check the gas meter", "check the gas meter"),
        ("en", "add move the sofa to the cellar", "move the sofa to the cellar"),
        ("en", "add drinks with Omar tomorrow", "drinks with Omar"),
        ("it", "aggiungi spostare il divano in cantina", "spostare il divano in cantina"),
        ("it", "aggiungi aperitivo con Omar domani", "aperitivo con Omar"),
    ],
)
def test_a_first_message_that_says_add_is_done(language: str, text: str, title: str) -> None:
    ((tool, values),) = calls(decide(text, (), language))
    assert (tool, values["title"]) == ("add_task", title)


@BOTH
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "does the swimming lesson start at six?"),
        ("en", "so the swimming lesson is on friday?"),
        ("en", "the swimming lesson is at six, isn't it?"),
        ("en", "swimming lesson is at six right?"),
        ("it", "il corso di nuoto comincia alle sei o alle sette?"),
        ("it", "ma il corso di nuoto è venerdì?"),
        ("it", "il corso di nuoto è alle 19?"),
        ("it", "il corso di nuoto è alle dieci, vero?"),
    ],
)
def test_whoever_asks_when_something_is_moves_nothing(history: tuple[Message, ...], language: str, text: str) -> None:
    assert {tool for tool, _ in calls(decide(text, history, language))} <= {"list_tasks"}


@BOTH
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "the insurance papers have come this morning"),
        ("en", "we have had such a nice lesson today"),
        ("it", "oggi Nora ha disegnato la sua prima barca"),
        ("it", "ieri sera abbiamo ballato fino alle due"),
    ],
)
def test_what_happened_today_is_no_day_to_do_something(history: tuple[Message, ...], language: str, text: str) -> None:
    decision = decide(text, history, language)
    assert "update_task" not in {tool for tool, _ in calls(decision)}
    assert not (decision.pending and decision.pending.intent in ("update_task", "add_task"))


@pytest.mark.parametrize(
    ("language", "text", "due"),
    [
        ("en", "the presents are to be done by friday", "2026-03-06"),
        ("it", "la siepe è da fare entro venerdì", "2026-03-06"),
    ],
)
def test_what_is_still_to_be_done_is_not_done(language: str, text: str, due: str) -> None:
    ((tool, values),) = calls(decide(text, AFTER_ANOTHER, language))
    assert (tool, values["new_due_date"]) == ("update_task", due)


@pytest.mark.parametrize(
    ("language", "text", "task"), [("en", "the wrapping is done", "2"), ("it", "la potatura è fatta", "5")]
)
def test_a_verb_is_named_by_its_noun(language: str, text: str, task: str) -> None:
    assert calls(decide(text, (), language)) == [("complete_task", {"task_identifier": task})]


@BOTH
@pytest.mark.parametrize(
    "text",
    [
        "I'd like to bake a tart on Friday. Could you put that down for me?",
        "I want to bake a tart friday, put that down",
    ],
)
def test_a_wish_that_is_put_down_is_added(history: tuple[Message, ...], text: str) -> None:
    assert calls(decide(text, history, "en")) == [("add_task", {"title": "bake a tart", "due_date": "2026-03-06"})]


def test_a_wish_alone_is_not() -> None:
    assert calls(decide("I'd like to bake a tart on Friday.", (), "en")) == []


_OFFERED = Pending("confirm", "complete_task", _FINISHED)


@pytest.mark.parametrize("text", ["please add buying a rake, low priority", "right add buying a rake, low priority"])
def test_a_word_that_requests_begin_with_says_yes_to_no_question(text: str) -> None:
    assert [tool for tool, _ in calls(decide(text, AFTER_ANOTHER, "en", _OFFERED))] == ["add_task"]


def test_a_yes_with_more_does_both() -> None:
    decision = decide("yes, and add buying a rake", AFTER_ANOTHER, "en", _OFFERED)
    assert [tool for tool, _ in calls(decision)] == ["complete_task", "add_task"]


_DELETING = Pending("confirm", "delete_task", make_call("delete_task", {"task_identifier": "2"}, "rules"))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "no, leave it, I still have to ask Rosa"),
        ("it", "no, lasciala, devo ancora sentire Rosa"),
    ],
)
def test_the_reason_of_a_no_is_not_added(language: str, text: str) -> None:
    assert calls(decide(text, AFTER_ANOTHER, language, _DELETING)) == []


_DELETED = Message("user", "…"), Message("assistant", "…", ("2",), (_DELETING.call,))


def test_a_saying_after_a_deletion_brings_nothing_back() -> None:
    decision = decide("can't please them all", _DELETED, "en")
    assert decision.action == "reply"


def test_a_phrase_of_correction_is_no_name() -> None:
    added = make_call("add_task", {"title": "Corso di nuoto", "due_date": "2026-03-05T17:00"}, "rules")
    history = Message("user", "…"), Message("assistant", "…", ("4",), (added,))
    decision = decide("no, ho detto male, venerdì", history, "it")
    assert calls(decision) == [("update_task", {"task_identifier": "4", "new_due_date": "2026-03-06T17:00"})]


_WHICH = Pending("choose", "delete_task", make_call("delete_task", {}, "rules"), "task_identifier", ("8", "9"))
_ALIKE = (*_TASKS, Task("8", 8, "Clean tank 4"), Task("9", 9, "Clean tank 6"), Task("10", 4, "Feed the eels"))


@pytest.mark.parametrize(
    ("text", "task"), [("tank six", "9"), ("the four one", "8"), ("6", "9"), ("four, it is green", "8")]
)
def test_a_choice_is_named_by_a_number_in_its_name(text: str, task: str) -> None:
    context = Context(MemoryIndex(_ALIKE), NOW, AFTER_ANOTHER, _WHICH, language="en")
    decision = make_engine().decide(text, context)
    assert decision.action == "confirm"
    assert decision.pending
    assert decision.pending.call.parameters["task_identifier"] == task


def test_what_fits_no_choice_better_than_another_chooses_none() -> None:
    context = Context(MemoryIndex(_ALIKE), NOW, AFTER_ANOTHER, _WHICH, language="en")
    decision = make_engine().decide("the tank", context)
    assert not (decision.pending and decision.pending.kind == "confirm")


@pytest.mark.parametrize(
    ("language", "text", "task", "due"),
    [
        ("en", "the swimming lesson is delayed by half an hour", "1", "2026-03-05T17:30"),
        ("en", "the swimming lesson has been brought forward by an hour", "1", "2026-03-05T16:00"),
        ("it", "il corso di nuoto è anticipato di mezz'ora", "4", "2026-03-05T16:30"),
        ("it", "la visita di Nora è stata rimandata di una settimana", "6", "2026-03-13"),
    ],
)
def test_what_is_told_to_be_earlier_or_later_is(language: str, text: str, task: str, due: str) -> None:
    assert calls(decide(text, AFTER_ANOTHER, language)) == [
        ("update_task", {"task_identifier": task, "new_due_date": due})
    ]


@pytest.mark.parametrize("marks", ["''", '""', "“”", "‘’"])
def test_a_quoted_name_is_taken_whole(marks: str) -> None:
    text = f"call the insurance papers {marks[0]}Ask for the car and house papers{marks[1]} instead"
    assert calls(decide(text, (), "en")) == [
        ("update_task", {"task_identifier": "3", "new_title": "Ask for the car and house papers"})
    ]


@pytest.mark.parametrize(
    ("language", "text", "due"),
    [
        ("en", "remind me to ring Bea on tuesday evenng at 7", "2026-03-03T19:00"),
        ("it", "ricordami di sentire Bea sabato matina", "2026-03-07T09:00"),
    ],
)
def test_a_slip_in_the_part_of_a_day_is_read(language: str, text: str, due: str) -> None:
    ((tool, values),) = calls(decide(text, (), language))
    assert (tool, values["due_date"]) == ("add_task", due)


def test_no_rush_is_said_of_what_is_added() -> None:
    assert calls(decide("please add mending the gate, no rush, low priority", AFTER_ANOTHER, "en")) == [
        ("add_task", {"title": "mending the gate", "priority": "low"})
    ]


@pytest.mark.parametrize(
    ("language", "text", "task", "note"),
    [
        ("en", "make a note on the swimming lesson that Ida forgot her cap", "1", "Ida forgot her cap"),
        ("it", "per la visita di Nora scriva che non mangia il pesce", "6", "non mangia il pesce"),
    ],
)
def test_a_note_is_told_after_what_it_is_for(language: str, text: str, task: str, note: str) -> None:
    assert calls(decide(text, AFTER_ANOTHER, language)) == [
        ("update_task", {"task_identifier": task, "new_description": note})
    ]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "everything is done except the swimming lesson"),
        ("en", "delete all but the swimming lesson"),
        ("it", "ho fatto tutto tranne il corso di nuoto"),
    ],
)
def test_what_is_left_out_of_all_is_left_alone(language: str, text: str) -> None:
    decision = decide(text, (), language)
    assert decision.calls == ()
    offered = decision.pending.intent if decision.pending and decision.pending.kind == "confirm" else ""
    assert offered not in ("complete_task", "delete_task")


def test_no_need_is_no_correction() -> None:
    decision = decide("no need to wrap the presents, she bought a bag", AFTER_ANOTHER, "en")
    assert decision.action == "confirm"
    assert decision.pending
    assert (decision.pending.intent, decision.pending.call.parameters["task_identifier"]) == ("delete_task", "2")


def test_somebody_else_who_called_has_done_nothing_of_ours() -> None:
    decision = decide("ha chiamato il corso di nuoto, ci spostano a venerdì", AFTER_ANOTHER, "it")
    assert calls(decision) == [("update_task", {"task_identifier": "4", "new_due_date": "2026-03-06T17:00"})]


@pytest.mark.parametrize(
    ("language", "text", "task", "due"),
    [
        ("en", "friday instead for the swimming lesson", "1", "2026-03-06T17:00"),
        ("it", "corso di nuoto venerdì invece", "4", "2026-03-06T17:00"),
    ],
)
def test_another_day_is_for_what_is_named(language: str, text: str, task: str, due: str) -> None:
    assert calls(decide(text, AFTER_ANOTHER, language)) == [
        ("update_task", {"task_identifier": task, "new_due_date": due})
    ]


@BOTH
@pytest.mark.parametrize(
    ("language", "text", "task", "due"),
    [
        ("en", "move the swimming lesson to friday, high priority", "1", "2026-03-06T17:00"),
        ("it", "sposta la visita di Nora a lunedì, priorità alta", "6", "2026-03-09"),
    ],
)
def test_a_day_before_a_level_is_not_dropped(
    history: tuple[Message, ...], language: str, text: str, task: str, due: str
) -> None:
    values = {"task_identifier": task, "new_due_date": due, "new_priority": "high"}
    assert calls(decide(text, history, language)) == [("update_task", values)]


_HIGH_UP = (*_TASKS, Task("8", 8, "Fix the high shelf"), Task("9", 9, "Riparare il recinto alto"))


@pytest.mark.parametrize(
    ("language", "text", "title"),
    [
        ("en", "add buy candles, tomorrow, high priority", "buy candles"),
        ("it", "segna comprare le candele, domani, priorità alta", "comprare le candele"),
    ],
)
def test_the_level_of_something_new_changes_nothing_that_is_called_so(language: str, text: str, title: str) -> None:
    context = Context(MemoryIndex(_HIGH_UP), NOW, AFTER_ANOTHER, language=language)
    expected = {"title": title, "due_date": "2026-03-03", "priority": "high"}
    assert calls(make_engine().decide(text, context)) == [("add_task", expected)]


def test_a_day_with_its_reason_is_no_name() -> None:
    asked = Message("user", "…"), Message("assistant", "…", ("1",), (make_call("list_tasks", {}, "rules"),))
    values = {"task_identifier": "1", "new_due_date": "2026-03-07T17:00"}
    assert calls(decide("change it to Saturday so I'm not late", asked, "en")) == [("update_task", values)]


@pytest.mark.parametrize(
    ("language", "text", "title"),
    [
        ("en", "add remove the stitches", "remove the stitches"),
        ("it", "aggiungi togliere i punti a Otto", "togliere i punti a Otto"),
    ],
)
def test_a_verb_after_add_is_what_is_added(language: str, text: str, title: str) -> None:
    assert calls(decide(text, AFTER_ANOTHER, language)) == [("add_task", {"title": title})]


def test_a_name_before_a_day_and_its_month_is_no_address() -> None:
    ((_, values),) = calls(decide("add visit mrs lane 28 april 9 am", (), "en"))
    assert (values["title"], values["due_date"]) == ("visit mrs lane", "2026-04-28T09:00")


@pytest.mark.parametrize(
    ("text", "due"), [("and buy wipes too", "2026-03-03"), ("and call the bank too", None), ("and buy wipes", None)]
)
def test_more_of_the_same_errand_has_its_day(text: str, due: str | None) -> None:
    added = make_call("add_task", {"title": "Buy nappies", "due_date": "2026-03-03"}, "rules")
    history = Message("user", "…"), Message("assistant", "…", ("2",), (added,))
    ((tool, values),) = calls(decide(text, history, "en"))
    assert (tool, values.get("due_date")) == ("add_task", due)


def test_a_day_is_no_note() -> None:
    added = make_call("add_task", {"title": "Wrap the presents"}, "rules")
    history = Message("user", "…"), Message("assistant", "…", ("2",), (added,))
    values = {"task_identifier": "2", "new_due_date": "2026-03-04T19:00"}
    assert calls(decide("put that on wednesday at 7pm", history, "en")) == [("update_task", values)]


@pytest.mark.parametrize("text", ["delete the last one", "delete that last one, they just wrote to me"])
def test_the_last_one_is_what_was_added_since_the_list(text: str) -> None:
    listed = Message("assistant", "…", ("1", "2", "3"), (make_call("list_tasks", {}, "rules"),))
    added = Message("assistant", "…", ("7",), (make_call("add_task", {"title": "Water the ferns"}, "rules"),))
    history = Message("user", "…"), listed, Message("user", "…"), added
    decision = decide(text, history, "en")
    assert decision.pending
    assert decision.pending.call.parameters["task_identifier"] == "7"
    assert decision.pending.then == ()


def test_the_last_one_of_a_list_is_its_last() -> None:
    listed = Message("assistant", "…", ("1", "2", "3"), (make_call("list_tasks", {}, "rules"),))
    decision = decide("delete the last one", (Message("user", "…"), listed), "en")
    assert decision.pending
    assert decision.pending.call.parameters["task_identifier"] == "3"
