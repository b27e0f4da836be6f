"""What stands around the words: dates, the store and the conversation are evidence like any other."""

from __future__ import annotations

from datetime import datetime

import pytest

from domains.deciders import make_engine
from domains.loading import load_domain
from engine.decision import Context, Decision, Message
from engine.policy.weights import SURROUNDINGS
from engine.reading.weighing import read_in_context
from engine.targets.memory_index import MemoryIndex
from engine.text.normalise import normalise
from engine.values import Task, ToolCall

NOW = datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001 - a wall clock, as the Context has it
TITLES = ("Dinner with Anna", "Change the tyres", "Vienna trip", "Pay the rent", "The dentist")
TASKS = tuple(Task(f"t{number}", number, title) for number, title in enumerate(TITLES, 1))
ADDED = (
    Message("user", "add dinner with Anna on friday"),
    Message("assistant", "Added.", ("t1",), (ToolCall("add_task"),)),
)
LISTED = (Message("user", "what do I have tomorrow?"), Message("assistant", "Two.", ("t1", "t4")))


def context(history: tuple[Message, ...] = (), tasks: tuple[Task, ...] = TASKS, language: str = "en") -> Context:
    return Context(MemoryIndex(tasks), NOW, history, language=language)


def decide(text: str, history: tuple[Message, ...] = (), language: str = "en") -> Decision:
    return make_engine().decide(text, context(history, language=language))


def seen(text: str, around: Context, language: str = "en") -> set[str]:
    policy = load_domain("tasks").policies[language]
    reading = read_in_context(normalise(text, policy.spellings, policy.elisions), around, policy)[0]
    return {each.name for each in reading.observations if each.name.startswith(SURROUNDINGS)}


def test_without_tasks_and_history_only_dates_are_seen_around_the_words() -> None:
    assert all(name.startswith("date:") for name in seen("cancel the vienna trip on friday at 5", context(tasks=())))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("drop the vienna trip", "store:named as delete_task"),
        ("is the vienna trip still on", "store:whole title, words, nothing else"),
        ("the tyres are on the car now", "store:whole title, one word"),
        ("what is on friday at 5 pm", "date:time"),
    ],
)
def test_what_the_store_and_the_dates_say_is_named(text: str, name: str) -> None:
    assert name in seen(text, context())


def test_words_of_any_sentence_name_no_task() -> None:
    assert not {name for name in seen("what is the time on the moon", context()) if name.startswith("store:")}


def test_what_was_carried_out_counts_and_else_what_was_asked() -> None:
    assert "talk:follows add_task" in seen("rather at ten", context(ADDED))
    asked = (Message("user", "show me my tasks"), Message("assistant", "Two.", ("t1", "t4")))
    assert "talk:follows list_tasks" in seen("and friday?", context(asked))


@pytest.mark.parametrize(("text", "history"), [("no, make it saturday", ADDED), ("actually at 9 pm", ADDED)])
def test_a_correction_changes_what_was_just_added(text: str, history: tuple[Message, ...]) -> None:
    decision = decide(text, history)
    assert decision.intent == "update_task"
    assert decision.action != "reply"


def test_the_same_evidence_speaks_in_italian() -> None:
    history = (
        Message("user", "aggiungi cena con Anna venerdì"),
        Message("assistant", "Fatto.", ("t1",), (ToolCall("add_task"),)),
    )
    assert decide("anzi sabato", history, language="it").intent == "update_task"


@pytest.mark.parametrize("text", ["thank you so much", "will it rain tomorrow?", "who won the match?"])
def test_a_conversation_about_tasks_makes_no_task_of_small_talk(text: str) -> None:
    assert decide(text, ADDED).action == "reply"


def test_what_was_spoken_of_comes_first_among_titles_that_fit_alike() -> None:
    tasks = (Task("a", 1, "Meeting with Tom"), Task("b", 2, "Meeting with Sue"))
    history = (Message("user", "when is the meeting with Sue?"), Message("assistant", "At four.", ("b",)))
    decision = make_engine().decide("cancel the meeting", context(history, tasks))
    assert decision.calls[0].parameters["task_identifier"] == "b"


def test_small_words_are_no_evidence_for_a_target() -> None:
    decision = decide("delete the call with the bank")
    assert all(candidate.task_id != "t5" for reference in decision.references for candidate in reference.candidates)
