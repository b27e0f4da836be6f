"""A yes that is none, the time of day, notes in one breath, what stands after a date, reasons and other deeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import pytest

from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Context, Decision, Message
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, ToolCall, make_call

NOW = datetime(2026, 6, 10, 10)  # noqa: DTZ001 - a wall clock, as the Context has it
_DECIDER = RuleDecider(load_domain())
_TASKS = (
    Task("1", 1, "Return the library books"),
    Task("2", 2, "Paint the Morrison fence", due_date="2026-06-12T09:00"),
    Task("3", 3, "Phone the roofer"),
    Task("4", 4, "Ritirare le analisi"),
    Task("5", 5, "Avvisare il portiere", due_date="2026-06-18T11:00"),
)
_MOVED = make_call("update_task", {"task_identifier": "2", "new_due_date": "2026-06-13T09:00"}, "words")
_AT_NINE = {"due_date": "2026-06-11T09:00"}
FINISH, CHANGE, ADD, DELETE = "complete_task", "update_task", "add_task", "delete_task"


def decide(
    text: str, done: ToolCall | None = None, about: Sequence[str] = (), tasks: tuple[Task, ...] = _TASKS
) -> Decision:
    return _DECIDER.decide(text.removeprefix("it: "), _context(text, done, about, tasks))


def _context(text: str, done: ToolCall | None, about: Sequence[str], tasks: tuple[Task, ...]) -> Context:
    language = "it" if text.startswith("it: ") else "en"
    history = (Message("user", "…"), Message("assistant", "…", tuple(about), (done,))) if done else ()
    return Context(now=NOW, tasks=MemoryIndex(tasks), history=history, language=language)


def answer_to_deleting(text: str) -> Decision:
    asked = "it: elimina ritirare le analisi" if text.startswith("it: ") else "delete the library books"
    context = _context(text, None, (), _TASKS)
    pending = decide(asked).pending
    assert pending is not None
    return _DECIDER.decide(text.removeprefix("it: "), replace(context, pending=pending))


@pytest.mark.parametrize(
    "text",
    [
        "right, lunch time",
        "ok, see you later then",
        "fine rain out there",
        "the kids are fine",
        "true story by the way",
        "right, add buy nails",
        "my sister said yes to him",
        "it: va bene, vado a pranzo",
        "it: dai che fame",
        "it: perfetto, che bella giornata",
        "it: si è rotto il forno",
        "it: vai a prendere il latte",
    ],
)
def test_a_remark_deletes_nothing(text: str) -> None:
    assert DELETE not in [call.tool_name for call in answer_to_deleting(text).calls]


@pytest.mark.parametrize(
    "text",
    [
        "yes, they went back ages ago",
        "ok, bin it",
        "sure, we don't have them any more",
        "go ahead, nobody reads them",
        "right, thanks",
        "ok, and add buy nails",
        "it: sì, le ha ritirate mio figlio",
        "it: si, tanto non servono",
        "it: ok grazie",
    ],
)
def test_a_yes_with_a_reason_deletes(text: str) -> None:
    assert answer_to_deleting(text).calls[0].tool_name == DELETE


@pytest.mark.parametrize(
    "text",
    [
        "it's nearly eleven and I am still in bed",
        "it's already six o'clock",
        "what a busy one today",
        "that was the one from last year",
        "it: sono le undici e non ho fatto niente",
        "it: siamo già a mezzogiorno",
    ],
)
def test_who_tells_the_time_moves_nothing(text: str) -> None:
    decision = decide(text, _MOVED, ["2"])
    assert CHANGE not in [call.tool_name for call in decision.calls]


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("no, at eleven, at nine I'm at the bank", "2026-06-13T11:00"),
        ("sorry, Monday, on Saturday they have guests", "2026-06-15T09:00"),
        ("it: no, alle undici, alle nove ho il dentista", "2026-06-13T11:00"),
        ("it: anzi no lunedì, sabato hanno ospiti", "2026-06-15T09:00"),
    ],
)
def test_what_puts_right_comes_before_its_reason(text: str, due: str) -> None:
    tasks = tuple(replace(task, due_date="2026-06-13T09:00") if task.id == "2" else task for task in _TASKS)
    (call,) = decide(text, _MOVED, ["2"], tasks).calls
    assert (call.tool_name, call.parameters["new_due_date"]) == (CHANGE, due)


@pytest.mark.parametrize(
    ("text", "task", "note"),
    [
        ("put a note on the fence, two coats", "2", "two coats"),
        ("leave a note on the roofer one, ask about the gutter, too", "3", "ask about the gutter, too"),
        ("write down on the library books the card is in the blue bag", "1", "the card is in the blue bag"),
        ("on the fence one write bring the big ladder", "2", "bring the big ladder"),
        ("it: scrivi sulle analisi serve la delega", "4", "serve la delega"),
        ("it: nella nota del portiere scrivi citofono rotto", "5", "citofono rotto"),
        ("it: metti una nota sulle analisi, portare la tessera", "4", "portare la tessera"),
    ],
)
def test_a_note_in_one_breath(text: str, task: str, note: str) -> None:
    (call,) = decide(text).calls
    assert call.parameters == {"task_identifier": task, "new_description": note}


@pytest.mark.parametrize(
    ("text", "title", "others"),
    [
        ("I have to buy bulbs on Saturday because they are closed on Friday", "buy bulbs", {"due_date": "2026-06-13"}),
        ("add call the school tomorrow at 9, high", "call the school", _AT_NINE | {"priority": "high"}),
        ("remind me also to book the ferry", "book the ferry", {}),
        ("it: devo comprare le viti, sabato che c'è lo sconto", "comprare le viti", {"due_date": "2026-06-13"}),
        ("it: ricordami anche di prenotare il traghetto", "prenotare il traghetto", {}),
        ("it: scrivi imbiancare la cantina per sabato", "imbiancare la cantina", {"due_date": "2026-06-13"}),
        ("it: aggiungi sistemare la tenda della 4 domani mattina alle 9", "sistemare la tenda della 4", _AT_NINE),
    ],
)  # fmt: skip
def test_a_title_ends_where_it_ends(text: str, title: str, others: dict[str, str]) -> None:
    (call,) = decide(text).calls
    assert (call.tool_name, call.parameters) == (ADD, {"title": title, **others})


@pytest.mark.parametrize(
    "text",
    [
        "add wash the car and buy fuel, both for Friday",
        "it: aggiungi lavare l'auto e fare benzina, tutte e due per venerdì",
    ],
)
def test_both_are_two(text: str) -> None:
    calls = decide(text).calls
    assert [call.parameters["due_date"] for call in calls] == ["2026-06-12", "2026-06-12"]
    assert not any("both" in str(call.parameters["title"]) or "due" in str(call.parameters["title"]) for call in calls)


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("books returned", "1"),
        ("roofer phoned, he is coming at four", "3"),
        ("books returneddd", "1"),
        ("it: portiere avvisato, torna alle 5", "5"),
        ("it: il portiere l'ho avvisato io", "5"),
    ],
)
def test_told_by_its_own_verb(text: str, task: str) -> None:
    (call,) = decide(text).calls
    assert (call.tool_name, call.parameters) == (FINISH, {"task_identifier": task})


@pytest.mark.parametrize("text", ["Mrs Morrison rang again", "Mum was up at four", "the Morrisons were in all day"])
def test_another_deed_is_not_this_one(text: str) -> None:
    assert not decide(text, _MOVED, ["2"]).calls


def test_an_hour_after_an_event_is_one_of_its_day() -> None:
    event = make_call("add_task", {"title": "concert", "due_date": "2026-06-13T19:00"}, "words")
    (call,) = decide(
        "and dinner at nine", event, ["9"], (*_TASKS, Task("9", 9, "concert", due_date="2026-06-13T19:00"))
    ).calls
    assert call.parameters == {"title": "dinner", "due_date": "2026-06-13T21:00"}


@pytest.mark.parametrize(
    "text",
    [
        "Ann slept badly, up and about till three, and then the dog wanted out at the crack of dawn",
        "awful trip, stuck in traffic until nine, and we missed the whole show",
        "it: stamattina non ho combinato niente, in piedi dalle cinque, e poi pioveva",
        "it: stanotte non ho chiuso occhio, sveglia fino alle quattro, e il gatto miagolava",
    ],
)
def test_an_hour_in_the_middle_of_a_story_corrects_nothing(text: str) -> None:
    decision = decide(text, _MOVED, ["2"])
    assert decision.action != "execute", decision.calls


@pytest.mark.parametrize("text", ["sorry, my head is gone, Thursday instead", "no, Thursday, they shut early"])
def test_who_puts_something_right_begins_or_ends_with_it(text: str) -> None:
    (call,) = decide(text, _MOVED, ["2"]).calls
    assert str(call.parameters["new_due_date"]).startswith("2026-06-11")


@pytest.mark.parametrize(
    "text",
    [
        "the lads mowed the whole field today, the verge too",
        "my sister cleaned everything yesterday, the oven as well",
        "it: oggi i ragazzi hanno pulito tutto, pure il garage!",
    ],
)
def test_what_goes_on_from_a_remark_is_no_further_task(text: str) -> None:
    added = make_call("add_task", {"title": "buy bread"}, "words")
    decision = decide(text, added, ["1"])
    assert decision.action != "execute", decision.calls
