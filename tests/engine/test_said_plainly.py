"""A bare thing to add, headings that count, notes said first, dates put right, what came to nothing, some of many."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Context, Decision, Message
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, ToolCall, make_call

NOW = datetime(2026, 6, 10, 10)  # noqa: DTZ001 - a wall clock, as the Context has it
_DECIDER = RuleDecider(load_domain())
_TASKS = (
    Task("1", 1, "Varnish the boat", due_date="2026-06-12T09:00"),
    Task("2", 2, "Phone Mrs Okafor"),
    Task("3", 3, "Piano tuner visit", due_date="2026-06-16T15:00"),
    Task("4", 4, "Ordinare le piastrelle"),
    Task("5", 5, "Chiamare il notaio", due_date="2026-06-18T11:00"),
    Task("6", 6, "New duster"),
)
_MOVED = make_call("update_task", {"task_identifier": "1", "new_due_date": "2026-06-13T09:00"}, "words")
FINISH, CHANGE, ADD, DELETE = "complete_task", "update_task", "add_task", "delete_task"


def decide(text: str, *, begun: bool = False, pending: Decision | None = None) -> Decision:
    language = "it" if text.startswith("it: ") else "en"
    history = (Message("user", "…"), Message("assistant", "…", ("1",), (_MOVED,))) if begun else ()
    context = Context(now=NOW, tasks=MemoryIndex(_TASKS), history=history, language=language)
    context = replace(context, pending=pending.pending) if pending else context
    return _DECIDER.decide(text.removeprefix("it: "), context)


def said(calls: tuple[ToolCall, ...]) -> list[tuple[str, dict[str, Any]]]:
    return [(call.tool_name, dict(call.parameters)) for call in calls]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("add marmalade", "marmalade"),
        ("please add candles", "candles"),
        ("add some string please", "string"),
        ("note down batteries", "batteries"),
        ("it: aggiungi zucchero", "zucchero"),
        ("it: aggiungi il sale", "sale"),
        ("it: annota candele", "candele"),
    ],
)
def test_a_word_for_adding_and_a_thing_is_enough(text: str, title: str) -> None:
    assert said(decide(text).calls) == [(ADD, {"title": title})]


@pytest.mark.parametrize("text", ["add more", "add song", "add a subject", "add something", "it: aggiungi brano"])
def test_what_other_assistants_are_asked_for_is_not_added_unasked(text: str) -> None:
    assert decide(text).calls == ()


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("put down two things, buy rope and grease the winch", ["buy rope", "grease the winch"]),
        ("please add three tasks: rope, tar and brushes", ["rope", "tar", "brushes"]),
        ("add a couple of things for friday: rope, tar", ["rope", "tar"]),
        ("it: segnami due cose, comprare il tonno e lavare i vetri", ["comprare il tonno", "lavare i vetri"]),
        ("it: aggiungi due cose: tonno e capperi", ["tonno", "capperi"]),
    ],
)
@pytest.mark.parametrize("begun", [False, True])
def test_a_heading_that_counts_is_no_task(text: str, titles: list[str], begun: bool) -> None:
    decision = decide(text, begun=begun)
    assert [call.parameters["title"] for call in decision.calls] == titles


@pytest.mark.parametrize(
    ("text", "target", "note"),
    [
        ("it's two coats of the matt one, put that in the note", "1", "it's two coats of the matt one"),
        ("jot down ask for Grace on the Okafor one", "2", "ask for Grace"),
        ("note bring the fork on it", "1", "bring the fork"),
        ("add a note to the piano tuner the low keys stick", "3", "the low keys stick"),
        ("it: sono quaranta scatole, scrivilo nella nota", "1", "sono quaranta scatole"),
        ("it: sulle piastrelle metti come nota quelle grigie", "4", "quelle grigie"),
        ("it: sul notaio segna nella nota portare l'atto", "5", "portare l'atto"),
    ],
)
def test_a_note_may_come_before_what_it_is_put_on(text: str, target: str, note: str) -> None:
    call = decide(text, begun=True).calls[0]
    assert (call.parameters["task_identifier"], call.parameters["new_description"]) == (target, note)


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("remind me to oil the hinges on Saturday, no, Sunday", "2026-06-14"),
        ("remind me to oil the hinges tomorrow at 3, I mean 4", "2026-06-11T16:00"),
        ("remind me to oil the hinges at nine tomorrow, sorry, Friday", "2026-06-12T09:00"),
        ("remind me to feed the cat at number 12 on Saturday", "2026-06-13"),
        ("remind me to oil the hinges by wendsday", "2026-06-17"),
        ("it: ricordami di oliare i cardini sabato, anzi domenica", "2026-06-14"),
        ("it: ricordami di oliare i cardini domani alle 10, anzi alle 11", "2026-06-11T11:00"),
        ("it: ricordami di oliare i cardini x sab", "2026-06-13"),
    ],
)
def test_the_date_said_last_counts_and_a_number_in_a_name_is_no_hour(text: str, due: str) -> None:
    assert decide(text).calls[0].parameters["due_date"] == due


@pytest.mark.parametrize(
    "text",
    [
        "rang Mrs Okafor, no answer",
        "went to varnish the boat but the yard was shut",
        "I have started varnishing the boat",
        "the piano tuner rang",
        "it: ho chiamato il notaio ma non risponde",
        "it: piastrelle, ho provato a ordinarle, tutte esaurite",
    ],
)
@pytest.mark.parametrize("begun", [False, True])
def test_what_came_to_nothing_is_not_done(text: str, begun: bool) -> None:
    decision = decide(text, begun=begun)
    asked = decision.pending.call.tool_name if decision.pending else ""
    assert FINISH not in [asked, *(call.tool_name for call in decision.calls)]


@pytest.mark.parametrize("text", ["rang Mrs Okafor", "boat varnished", "it: ho chiamato il notaio"])
def test_what_is_told_as_done_is(text: str) -> None:
    assert [call.tool_name for call in decide(text, begun=True).calls] == [FINISH]


@pytest.mark.parametrize(
    "text",
    ["undo that, they are closed on Saturday", "it: annulla pure, resta venerdì come prima"],
)
def test_what_is_taken_back_may_have_its_reason(text: str) -> None:
    decision = decide(text, begun=True)
    assert (decision.act, decision.action, decision.calls) == ("undo", "execute", ())


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("only the first", ["1"]),
        ("just Mrs Okafor please", ["2"]),
        ("both but the boat", ["2"]),
        ("not the boat, the other one yes", ["2"]),
        ("the boat yes, but not Mrs Okafor", ["1"]),
        ("yes, both", ["1", "2"]),
    ],
)
def test_an_answer_may_take_some_of_several(text: str, taken: list[str]) -> None:
    asked = decide("delete the boat and the Okafor call")
    assert asked.pending is not None
    decision = decide(text, pending=asked)
    assert [call.parameters["task_identifier"] for call in decision.calls if call.tool_name == DELETE] == taken


@pytest.mark.parametrize("text", ["just a moment", "only joking", "not now, the others are waiting"])
def test_what_names_none_of_them_takes_none(text: str) -> None:
    assert decide(text, pending=decide("delete the boat and the Okafor call")).calls == ()


def test_the_verb_that_asks_names_nothing() -> None:
    decision = decide("dust off")
    assert decision.calls == ()
    asked = decide("wipe out the Okafor call")
    assert [call.parameters["task_identifier"] for call in asked.calls] == ["2"]


def test_nothing_is_asked_of_a_tool_that_it_would_refuse() -> None:
    long = "window cleaner " * 20
    for text in (f"I gotta pay the {long}by thursday, add that", f"how many things are still pending {long}"):
        for call in decide(text).calls:
            assert len(str(call.parameters.get("title", ""))) <= 200
            assert len(str(call.parameters.get("search", ""))) <= 200


@pytest.mark.parametrize(
    "text", ["I didn't think there was so much boat", "it: non ce la faccio più con ste piastrelle"]
)
def test_a_denial_of_something_else_corrects_nothing(text: str) -> None:
    done = make_call("complete_task", {"task_identifier": "2"}, "words")
    history = (Message("user", "…"), Message("assistant", "…", ("2",), (done,)))
    context = Context(
        now=NOW, tasks=MemoryIndex(_TASKS), history=history, language=text[:2] if "it: " in text else "en"
    )
    assert _DECIDER.decide(text.removeprefix("it: "), context).calls == ()


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("add a note there that the key is under the pot", "the key is under the pot"),
        ("note on that one saying two coats", "two coats"),
        ("write on it: two coats, not one", "two coats, not one"),
        ("it: scrivici che il cancello è rotto e si passa dietro", "il cancello è rotto e si passa dietro"),
    ],
)
def test_a_note_may_be_put_there(text: str, note: str) -> None:
    call = decide(text, begun=True).calls[0]
    assert (call.parameters["task_identifier"], call.parameters["new_description"]) == ("1", note)


@pytest.mark.parametrize("text", ["put a note on it", "add a note to the piano one"])
def test_a_note_without_its_text_is_asked_for(text: str) -> None:
    assert (decide(text, begun=True).action, decide(text, begun=True).calls) == ("clarify", ())


@pytest.mark.parametrize("text", ["actually no, Sunday, there is more time", "it: anzi no, domenica che ho più tempo"])
def test_a_day_after_a_no_puts_the_day_right(text: str) -> None:
    decision = decide(text, begun=True)
    call = decision.calls[0] if decision.calls else decision.pending and decision.pending.call
    assert call
    assert call.parameters == {"task_identifier": "1", "new_due_date": "2026-06-14T09:00"}


def test_each_thing_needed_has_its_own_day() -> None:
    decision = decide("right I need to get the sander on Friday, and call Grace about paint tomorrow", begun=True)
    waiting = (decision.pending.call, *decision.pending.then) if decision.pending else ()
    assert said((*decision.calls, *waiting)) == [
        (ADD, {"title": "get the sander", "due_date": "2026-06-12"}),
        (ADD, {"title": "call Grace about paint", "due_date": "2026-06-11"}),
    ]
