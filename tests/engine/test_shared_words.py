"""What parts of a message share and what they do not (a verb, a value, a question mark); words of a name put right."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest

from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Context, Decision, Message, Pending
from engine.reading.questions import is_question
from engine.reading.requests import part
from engine.targets.memory_index import MemoryIndex
from engine.text.normalise import normalise
from engine.values import Task, ToolCall, make_call

NOW = datetime(2026, 6, 10, 10)  # noqa: DTZ001 - a wall clock, as the Context has it
_DOMAIN = load_domain()
_DECIDER = RuleDecider(_DOMAIN)
_TASKS = (
    Task("1", 1, "See the optician", due_date="2026-06-12T09:00"),
    Task("2", 2, "Varnish the fence", due_date="2026-06-15", priority="high"),
    Task("3", 3, "Ring Marta", due_date="2026-06-16"),
    Task("4", 4, "Portare la bici in officina", due_date="2026-06-17"),
    Task("5", 5, "Telefonare a Piero", due_date="2026-06-18T11:00"),
    Task("6", 6, "Buy 4 lemons", due_date="2026-06-11"),
)


def decide(
    text: str, done: ToolCall | None = None, about: Sequence[str] = (), pending: Pending | None = None
) -> Decision:
    language = "it" if text.startswith("it: ") else "en"
    history = (Message("user", "…"), Message("assistant", "…", tuple(about), (done,))) if done else ()
    context = Context(now=NOW, tasks=MemoryIndex(_TASKS), history=history, pending=pending, language=language)
    return _DECIDER.decide(text.removeprefix("it: "), context)


def after_adding(text: str, task_id: str) -> Decision:
    title = next(task.title for task in _TASKS if task.id == task_id)
    return decide(text, make_call("add_task", {"title": title}, "engine"), (task_id,))


def calls_of(decision: Decision) -> list[dict[str, Any]]:
    assert decision.action == "execute", decision.message
    return [{"tool": call.tool_name, **call.parameters} for call in decision.calls]


def change(task: str, **values: str) -> dict[str, Any]:
    return {"tool": "update_task", "task_identifier": task, **values}


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (
            "push the optician to 4 pm and the fence to Sunday",
            [change("1", new_due_date="2026-06-12T16:00"), change("2", new_due_date="2026-06-14")],
        ),
        (
            "make marta high priority, the optician low and the fence medium",
            [change("3", new_priority="high"), change("1", new_priority="low"), change("2", new_priority="medium")],
        ),
        (
            "it: sposta la bici alle 15 e piero a lunedì",
            [change("4", new_due_date="2026-06-17T15:00"), change("5", new_due_date="2026-06-15T11:00")],
        ),
        (
            "it: metti la bici e piero a sabato",
            [change("4", new_due_date="2026-06-13"), change("5", new_due_date="2026-06-13T11:00")],
        ),
    ],
)
def test_a_verb_or_a_value_said_once_is_everybodys(text: str, calls: list[dict[str, Any]]) -> None:
    assert calls_of(decide(text)) == calls


def test_two_of_one_errand_stay_one() -> None:
    assert calls_of(decide("add lamb and mint sauce for sunday")) == [
        {"tool": "add_task", "title": "lamb and mint sauce", "due_date": "2026-06-14"}
    ]


@pytest.mark.parametrize("text", ["I've rung marta. what's left?", "ringing marta is done, what else have I got?"])
def test_what_is_done_counts_though_the_next_sentence_asks(text: str) -> None:
    tools = [call["tool"] for call in calls_of(decide(text))]
    assert tools == ["complete_task", "list_tasks"]


def test_the_question_mark_belongs_to_its_own_part() -> None:
    policy = _DOMAIN.policies["en"]
    whole = normalise("The fence is done. What's left?", policy.spellings, policy.elisions)
    assert part(whole, 0, 4, policy).own_text == "The fence is done. "
    assert not is_question(part(whole, 0, 4, policy), policy)
    assert is_question(part(whole, 4, 6, policy), policy)
    assert is_question(whole, policy)


@pytest.mark.parametrize("text", ["have i rung marta or not", "it: a piero ho telefonato o no"])
def test_or_not_asks(text: str) -> None:
    assert [call["tool"] for call in calls_of(decide(text))] == ["list_tasks"]


@pytest.mark.parametrize(
    ("text", "task", "title"),
    [
        ("no, Marto", "3", "Ring Marto"),
        ("not Marta, I mean Nadia", "3", "Ring Nadia"),
        ("sorry, Nadia", "3", "Ring Nadia"),
        ("actually 6", "6", "Buy 6 lemons"),
        ("it: scusa, Pietro", "5", "Telefonare a Pietro"),
        ("it: no, a Rocco", "5", "Telefonare a Rocco"),
        ("it: non Piero, Rocco", "5", "Telefonare a Rocco"),
    ],
)
def test_one_word_of_a_name_is_put_right(text: str, task: str, title: str) -> None:
    assert calls_of(after_adding(text, task)) == [change(task, new_title=title)]


@pytest.mark.parametrize("text", ["no, the fence", "sorry, thanks", "the fence is varnished", "no"])
def test_other_words_rename_nothing(text: str) -> None:
    decision = after_adding(text, "3")
    assert not any("new_title" in call.parameters for call in decision.calls)


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("the fence is no longer that urgent, medium will do", "medium"),
        ("the fence isn't urgent any more", "low"),
    ],
)
def test_a_level_named_beside_not_so_urgent_is_meant(text: str, level: str) -> None:
    assert calls_of(decide(text)) == [change("2", new_priority=level)]


def test_a_word_that_only_opens_a_sentence_is_no_yes() -> None:
    offered = decide("varnish the fence on thursday maybe").pending or Pending(
        "confirm",
        "update_task",
        make_call("update_task", {"task_identifier": "2", "new_priority": "low"}, "engine"),
        "?",
    )
    asked = make_call("update_task", {"task_identifier": "2", "new_priority": "low"}, "engine")
    pending = Pending("confirm", "update_task", asked, "Shall I change it?")
    assert offered is not None
    assert not decide("right, I'm off to bed, what a week that was", pending=pending).calls
    assert decide("right", pending=pending).calls
    assert decide("ok, thanks", pending=pending).calls


def test_a_note_is_changed_without_a_colon() -> None:
    done = make_call("update_task", {"task_identifier": "1", "new_description": "x"}, "engine")
    assert calls_of(decide("change the note to two pairs by 5", done, ("1",))) == [
        change("1", new_description="two pairs by 5")
    ]
    assert calls_of(decide("it: cambia la nota in tre copie", done, ("1",))) == [
        change("1", new_description="tre copie")
    ]


def test_a_time_keeps_its_own_part_of_the_day() -> None:
    done = make_call("update_task", {"task_identifier": "3", "new_priority": "low"}, "engine")
    moved = decide("it: spostala alle quattro del pomeriggio, stamattina non c'è", done, ("3",))
    assert calls_of(moved) == [change("3", new_due_date="2026-06-16T16:00")]


def test_the_page_goes_on_with_so_many_after() -> None:
    shown = make_call("list_tasks", {"filter": "pending", "limit": 2}, "engine")
    assert calls_of(decide("and the two after", shown, ("1", "6")))[0] == {
        "tool": "list_tasks",
        "filter": "pending",
        "limit": 2,
        "offset": 2,
    }
