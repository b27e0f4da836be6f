"""The calls of a model that copies: its words come to values, and what nobody said is never done."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from domains.deciders import make_engine
from domains.loading import load_policy
from engine.decision import Context, Decision, Message
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call
from llm.calls import read_answer
from llm.conclude import conclude
from llm.trace import ModelAnswer, RawCall

NOW = datetime(2026, 3, 4, 10)  # noqa: DTZ001 - a Wednesday
TASKS = (
    Task("a", 1, "Dentist", due_date="2026-03-05T10:00", description="bring the card"),
    Task("b", 2, "Call Lena", due_date="2026-03-06"),
    Task("c", 3, "Call Omar", priority="high"),
)
SPOKEN = (
    Message("user", "the dentist is at ten"),
    Message("assistant", "OK.", ("a",), (make_call("update_task", {"task_identifier": "a"}, "words"),)),
)
CONTEXT = Context(MemoryIndex(TASKS), NOW, SPOKEN, language="en")


def come_to(text: str, *calls: tuple[str, dict[str, Any]], context: Context = CONTEXT) -> Decision:
    raw = tuple(RawCall(name, json.dumps(arguments)) for name, arguments in calls)
    read = read_answer(ModelAnswer(calls=raw), "tools", text, context, "en", copied=True)
    return conclude(read, text, context, load_policy("en"), None, engine=make_engine())


def made(decision: Decision) -> list[tuple[str, dict[str, Any]]]:
    return [(call.tool_name, dict(call.parameters)) for call in decision.calls]


@pytest.mark.parametrize(
    ("words", "due"),
    [
        ("friday", "2026-03-06T10:00"),
        ("half two", "2026-03-05T14:30"),
        ("a week later", "2026-03-12T10:00"),
        ("friday at nine", "2026-03-06T09:00"),
        ("none", "none"),
    ],
)
def test_a_new_day_keeps_the_time_and_a_new_time_the_day(words: str, due: str) -> None:
    decision = come_to(f"make it {words}", ("update_task", {"task_identifier": "#1", "new_due_date": words}))
    assert made(decision) == [("update_task", {"task_identifier": "a", "new_due_date": due})]


def test_the_same_day_is_that_of_what_was_spoken_of() -> None:
    decision = come_to("omar as well", ("update_task", {"task_identifier": "#3", "new_due_date": "same day"}))
    assert made(decision) == [("update_task", {"task_identifier": "c", "new_due_date": "2026-03-05"})]


@pytest.mark.parametrize(
    ("said", "due"),
    [("before sunday", "../2026-03-07"), ("until sunday", "../2026-03-08"), ("after sunday", "2026-03-09/..")],
)
def test_days_of_a_list_are_read_from_words(said: str, due: str) -> None:
    decision = come_to(f"what have i got {said}", ("list_tasks", {"due": said}))
    assert made(decision) == [("list_tasks", {"due": due})]


def test_several_tasks_that_fit_are_asked_about() -> None:
    decision = come_to("the call is done", ("complete_task", {"task_identifier": "#2 or #3"}))
    assert decision.action == "clarify"
    assert decision.pending
    assert decision.pending.options == ("b", "c")


@pytest.mark.parametrize(
    ("name", "arguments", "parameter"),
    [
        ("add_task", {"title": ""}, "title"),
        ("add_task", {"title": "", "due_date": "friday"}, "title"),
        ("complete_task", {"task_identifier": ""}, "task_identifier"),
        ("update_task", {"task_identifier": "#1"}, "change"),
    ],
)
def test_what_is_left_empty_is_asked_for(name: str, arguments: dict[str, Any], parameter: str) -> None:
    decision = come_to("put something down for friday", (name, arguments))
    assert decision.action == "clarify"
    assert decision.pending
    assert decision.pending.parameter == parameter


def test_a_question_about_one_task_is_answered_with_all_there_is() -> None:
    decision = come_to("when was the dentist?", ("tell_task", {"task_identifier": "#1"}))
    assert decision.action == "execute"
    assert made(decision) == [("list_tasks", {"search": "Dentist"})]
    assert "10:00" in decision.message
    assert "bring the card" in decision.message


@pytest.mark.parametrize("act", ["undo", "redo"])
def test_taking_back_is_an_act_without_a_call(act: str) -> None:
    decision = come_to("take that back", (act, {}))
    assert (decision.action, decision.act, decision.calls) == ("execute", act, ())


def test_a_miscopied_word_is_put_right() -> None:
    decision = come_to("add pay the plumber", ("add_task", {"title": "Pay the plumumber"}))
    assert made(decision) == [("add_task", {"title": "Pay the plumber"})]
    assert decision.action == "execute"


def test_a_title_that_nobody_said_is_offered_and_not_done() -> None:
    decision = come_to("add sentire Aldo", ("add_task", {"title": "sire alojo"}))
    assert decision.action == "confirm"
    assert decision.pending


def test_words_of_the_conversation_and_of_the_tasks_may_be_used() -> None:
    said = (*SPOKEN, Message("user", "mind the hedge"), Message("assistant", "OK."))
    decision = come_to(
        "that wants cutting", ("add_task", {"title": "cutting the hedge"}), context=replace(CONTEXT, history=said)
    )
    assert decision.action == "execute"


@pytest.mark.parametrize("arguments", [{"task_identifier": 3}, {"task_identifier": "#1", "new_due_date": "soonish"}])
def test_what_no_tool_takes_is_broken(arguments: dict[str, Any]) -> None:
    assert come_to("move it", ("update_task", arguments)).reason == "broken_call"
