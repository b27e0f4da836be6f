"""What is likely is offered, what is asked of a note is told, and a slip of the finger changes neither."""

from __future__ import annotations

from datetime import datetime

import pytest

from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Context, Decision, Message
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call

NOW = datetime(2026, 6, 10, 10)  # noqa: DTZ001 - a wall clock, as the Context has it
_DECIDER = RuleDecider(load_domain())
_TASKS = (
    Task("1", 1, "Piano tuner", due_date="2026-06-13T11:00", description="Mr Alder, 80 euros"),
    Task("2", 2, "Phone the council", description="ask for Ruth"),
    Task("4", 4, "Sweep the yard"),
    Task("3", 3, "Ordinare la ghiaia", due_date="2026-06-12", description="12 sacchi"),
)
_MOVED = Message(
    "assistant",
    "",
    ("3",),
    (make_call("update_task", {"task_identifier": "3", "new_due_date": "2026-06-12"}, "rules"),),
)


def decide(text: str, *history: Message) -> Decision:
    language = "it" if text.startswith("it: ") else "en"
    context = Context(MemoryIndex(_TASKS), NOW, history, language=language)
    return _DECIDER.decide(text.removeprefix("it: "), context)


@pytest.mark.parametrize(
    ("text", "title", "due"),
    [
        ("pottery class thursday", "pottery class", "2026-06-11"),
        ("french poster for thurs", "french poster", "2026-06-11"),
    ],
)
def test_a_thing_and_its_day_are_offered(text: str, title: str, due: str) -> None:
    decision = decide(text)
    assert decision.action == "clarify"
    assert decision.pending is not None
    assert decision.pending.call.parameters == {"title": title, "due_date": due}


@pytest.mark.parametrize(
    ("text", "title", "due"),
    [
        ("book chimney sweep for monday", "book chimney sweep", "2026-06-15"),
        ("haircut friday at 4", "haircut", "2026-06-12T16:00"),
        ("it: parrucchiere venerdì alle 16", "parrucchiere", "2026-06-12T16:00"),
    ],
)
def test_something_to_do_with_its_day_may_begin_a_conversation(text: str, title: str, due: str) -> None:
    (call,) = decide(text).calls
    assert call.parameters == {"title": title, "due_date": due}


@pytest.mark.parametrize("text", ["how do pianos work?", "what is a council", "who invented the piano"])
def test_a_question_about_the_world_is_not_answered_from_a_note(text: str) -> None:
    assert decide(text).calls == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("How much will the piano tuner cost me?", "80 euros"),
        ("whats the name i ask for at the council", "Ruth"),
        ("how much does the tuner want", "80 euros"),
        ("it: quanti sacchi di ghiaia avevo scritto?", "12 sacchi"),
    ],
)
def test_what_only_a_note_says_is_told(text: str, told: str) -> None:
    decision = decide(text)
    assert decision.action == "execute"
    assert told in decision.message


def test_a_yes_or_no_about_a_task_leaves_its_note_out() -> None:
    assert "80 euros" not in decide("is the piano tuner done?").message


@pytest.mark.parametrize(
    "text",
    [
        "waht do i stil have to do",
        "what do i still have to do",
        "it: coas dveo ancora fare",
        "it: cosa devo ancora fare",
    ],
)
def test_small_words_may_be_misspelt(text: str) -> None:
    decision = decide(text)
    assert (decision.action, decision.intent) == ("execute", "list_tasks")


def test_a_day_that_is_denied_is_no_new_day() -> None:
    assert decide("the piano tuner can't do saturday").calls == ()
    decision = decide("the piano tuner can't do saturday, he's coming thursday at 5pm instead")
    call = decision.pending.call if decision.pending else decision.calls[0]
    assert call.parameters["new_due_date"] == "2026-06-11T17:00"


@pytest.mark.parametrize("text", ["it: annulla, venerdì sono chiusi", "it: no annulla, venerdì non ci sono"])
def test_the_day_just_set_may_be_why_it_is_taken_back(text: str) -> None:
    assert decide(text, Message("user", "spostala a venerdì"), _MOVED).act == "undo"


def test_another_day_after_a_no_is_the_new_one() -> None:
    decision = decide("it: no aspetta, sabato è meglio", Message("user", "spostala a venerdì"), _MOVED)
    assert [call.parameters["new_due_date"] for call in decision.calls] == ["2026-06-13"]


def test_a_further_thing_to_do_is_not_lost() -> None:
    decision = decide("put sugar paper on the list and post the samples on Saturday")
    assert [call.parameters for call in decision.calls] == [{"title": "sugar paper"}]
    assert decision.pending is not None
    assert decision.pending.call.parameters == {"title": "post the samples", "due_date": "2026-06-13"}


def test_all_after_a_name_says_how_far_it_is() -> None:
    decision = decide("the yard is all swept")
    assert [(call.tool_name, call.parameters["task_identifier"]) for call in decision.calls] == [("complete_task", "4")]


@pytest.mark.parametrize("text", ["the tasks are all done", "they are all done", "all tasks are done"])
def test_all_without_a_name_completes_nothing(text: str) -> None:
    assert decide(text).calls == ()


def test_what_is_taken_back_may_come_after_a_word_of_regret() -> None:
    assert decide("sorry, undo that, it's dripping again", Message("user", "move it to friday"), _MOVED).act == "undo"
