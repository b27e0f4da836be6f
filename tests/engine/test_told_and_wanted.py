"""Told as done by its own verb; wanted, then put down; real words that look like slips; and what is not done."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import pytest

from domains.loading import load_domain
from engine.decision import Context, Decision, Message
from engine.targets.memory_index import MemoryIndex
from engine.text.corrections import find_correction
from engine.values import Task, ToolCall, make_call
from tests.engine.reading import make_reader

NOW = datetime(2026, 6, 10, 10)  # noqa: DTZ001 - a wall clock, as the Context has it
_DOMAIN = load_domain()
_DECIDER = make_reader()
_TASKS = (
    Task("1", 1, "Repair the gate"),
    Task("2", 2, "Collect parcel from Ines", due_date="2026-06-12T09:00"),
    Task("3", 3, "Iron shirts"),
    Task("4", 4, "Verniciare la ringhiera"),
    Task("5", 5, "Consegnare chiavi al custode", due_date="2026-06-18T11:00"),
    Task("6", 6, "Ring the plumber", priority="low"),
    Task("7", 7, "Ring Aunt May"),
    Task("8", 8, "Feed Rex", due_date="2026-06-10T12:00"),
)
FINISH, CHANGE, ADD, DELETE = "complete_task", "update_task", "add_task", "delete_task"


def decide(text: str, done: ToolCall | None = None, about: Sequence[str] = ()) -> Decision:
    language = "it" if text.startswith("it: ") else "en"
    history = (Message("user", "…"), Message("assistant", "…", tuple(about), (done,))) if done else ()
    context = Context(now=NOW, tasks=MemoryIndex(_TASKS), history=history, language=language)
    return _DECIDER.decide(text.removeprefix("it: "), context)


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("gate repaired", "1"),
        ("I've collected the parcel", "2"),
        ("oh and the shirts are ironed", "3"),
        ("it: ringhiera verniciata", "4"),
        ("it: le chiavi le ho consegnate", "5"),
    ],
)
def test_what_was_to_be_done_is_told_as_done(text: str, task: str) -> None:
    (call,) = decide(text).calls
    assert (call.tool_name, call.parameters) == (FINISH, {"task_identifier": task})


@pytest.mark.parametrize(
    "text",
    [
        "I need the gate repaired",
        "we want the shirts ironed",
        "the gate is nearly repaired",
        "half of the shirts are ironed",
        "Got six of the shirts ironed last night, another nine to go still",
        "the gate must be repaired",
        "it: la ringhiera va verniciata",
        "it: la ringhiera mi serve verniciata per il 20",
        "the gate gets repaired every spring",
    ],
)
def test_what_is_wanted_or_half_done_is_not_done(text: str) -> None:
    decision = decide(text)
    assert FINISH not in [call.tool_name for call in decision.calls]


@pytest.mark.parametrize(
    ("text", "title", "due"),
    [
        ("we are out of candles, put them on my list for Friday", "candles", "2026-06-12"),
        ("I have to post the lease, add it for tomorrow", "post the lease", "2026-06-11"),
        ("it: sono finite le pile, segnami di comprarle domani", "comprare pile", "2026-06-11"),
        ("it: la scuola chiede un astuccio nuovo, segnami di comprarlo entro venerdì", "comprare un astuccio nuovo",
         "2026-06-12"),
    ],
)  # fmt: skip
def test_what_is_wanted_and_then_put_down_is_one_thing(text: str, title: str, due: str) -> None:
    (call,) = decide(text).calls
    assert (call.tool_name, call.parameters) == (ADD, {"title": title, "due_date": due})


def test_it_is_what_was_spoken_of_where_it_is_moved() -> None:
    moved = make_call(CHANGE, {"task_identifier": "2", "new_due_date": "2026-06-14"}, "engine")
    (call,) = decide("hang on, on Sunday I've got the boys, make it Monday", moved, ("2",)).calls
    assert call.parameters == {"task_identifier": "2", "new_due_date": "2026-06-15T09:00"}


def test_another_errand_about_the_same_animal_is_offered_as_new() -> None:
    moved = make_call(CHANGE, {"task_identifier": "8", "new_due_date": "2026-06-10T15:00"}, "engine")
    decision = decide("and brush Rex with the soft comb at 5", moved, ("8",))
    assert decision.pending is not None
    assert decision.pending.call.tool_name == ADD


@pytest.mark.parametrize("text", ["delete the call", "it: elimina la chiamata"])
def test_a_noun_for_what_titles_begin_with_names_them(text: str) -> None:
    tasks = (Task("1", 1, "Call the bank"), Task("2", 2, "Call Ann")) if "it:" not in text else (
        Task("1", 1, "Chiamare la banca"), Task("2", 2, "Chiamare Anna")
    )  # fmt: skip
    language = "it" if text.startswith("it: ") else "en"
    decision = _DECIDER.decide(text.removeprefix("it: "), Context(now=NOW, tasks=MemoryIndex(tasks), language=language))
    assert decision.pending is not None
    assert set(decision.pending.options) == {"1", "2"}


@pytest.mark.parametrize(
    "text", ["Thanks, see you tomorrow", "it: Grazie, a domani", "so I had to walk to the depot in the rain"]
)
def test_a_farewell_and_a_story_change_nothing(text: str) -> None:
    moved = make_call(CHANGE, {"task_identifier": "2", "new_due_date": "2026-06-14"}, "engine")
    decision = decide(text, moved, ("2",))
    assert decision.action == "reply"
    assert not decision.calls


def test_what_is_sure_does_not_wait_behind_a_question() -> None:
    decision = decide("move Rex's feed to 3 and put the plumber down as high priority")
    assert [call.parameters["task_identifier"] for call in decision.calls] == ["6"]
    assert decision.pending is not None
    assert decision.pending.call.parameters["task_identifier"] == "8"


def test_a_no_is_one_to_everything_that_the_question_names() -> None:
    asked = decide("add lamp oil and delete the shirts")
    assert asked.pending is not None
    assert asked.pending.call.tool_name == DELETE
    assert "lamp oil" in asked.message
    context = Context(now=NOW, tasks=MemoryIndex(_TASKS), pending=asked.pending, language="en")
    refused, agreed = _DECIDER.decide("no", context), _DECIDER.decide("yes", context)
    assert not refused.calls
    assert [call.tool_name for call in agreed.calls] == [DELETE, ADD]


def test_a_full_stop_after_a_title_of_honour_ends_no_name() -> None:
    (call,) = decide("remind me to thank Dr. Bell tomorrow").calls
    assert call.parameters["title"] == "thank Dr. Bell"


def test_a_level_and_a_day_are_both_given() -> None:
    (call,) = decide("make the gate high priority and due on Friday").calls
    assert call.parameters == {"task_identifier": "1", "new_priority": "high", "new_due_date": "2026-06-12"}


@pytest.mark.parametrize(
    ("language", "word"), [("en", "printer"), ("en", "picked"), ("en", "poster"), ("it", "scale"), ("it", "fiori")]
)
def test_real_words_are_no_slips(language: str, word: str) -> None:
    assert find_correction(word, _DOMAIN.policies[language]) is None


@pytest.mark.parametrize(("language", "word", "meant"), [("en", "shwo", "show"), ("it", "agiungi", "aggiungi")])
def test_slips_are_still_put_right(language: str, word: str, meant: str) -> None:
    assert find_correction(word, _DOMAIN.policies[language]) == meant
