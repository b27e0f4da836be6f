"""An LLM changes by itself what the user's words ask for, and not without end; anything else is asked first."""

from __future__ import annotations

import json
from itertools import product

import pytest

from assistant.consent import MOST_CHANGES
from engine.outcome.routing import Driver
from tests.assistant.conftest import TITLES, Chat, ServeModel, calls, chat, model, says
from tests.llm.fault_server import call, stream
from tests.rounds import rounds

__all__ = ["chat", "model"]
BY_THE_LLM: tuple[Driver, ...] = ("llm", "router", "llm_guarded")


def adds(count: int) -> bytes:
    return stream(*[call("add_task", json.dumps({"title": f"errand {place}"}), place) for place in range(count)])


def completes(*titles: str) -> bytes:
    asked = [json.dumps({"task_identifier": title}) for title in titles]
    return stream(*[call("complete_task", each, place) for place, each in enumerate(asked)])


ANSWERS = {
    "an add": adds(1),
    "1,500 adds": adds(1500),
    "everything done": completes(*TITLES),
    "a new name": calls("update_task", task_identifier="#1", new_title="x"),
}
UNASKED = ("hello", "nice weather today", "what is on my list?", "how do I complete a task?")
TRIALS = [*product(ANSWERS, UNASKED, BY_THE_LLM)]


@pytest.mark.parametrize(("answer", "text", "driver"), TRIALS[:: rounds(5, 1)])
def test_nothing_changes_that_nobody_asked_for(
    answer: str, text: str, driver: Driver, chat: Chat, model: ServeModel
) -> None:
    chat.driver = driver
    model(ANSWERS[answer], ANSWERS[answer], says("Done."))
    before = chat.tasks()
    assert chat.say(text).reply
    assert chat.tasks() == before


def test_what_was_not_asked_for_is_done_after_a_yes(chat: Chat, model: ServeModel) -> None:
    chat.driver = "llm"
    model(calls("add_task", title="buy tea"))
    asked = chat.say("green tea is nice in the afternoon")
    assert asked.reply == "I am not sure that you asked for this. Shall I add 'buy tea'?"
    assert chat.say("yes").route == "answered"
    assert "buy tea" in chat.tasks()


def test_so_many_changes_are_asked_about_though_the_kind_was_asked_for(chat: Chat, model: ServeModel) -> None:
    chat.driver = "llm"
    model(adds(MOST_CHANGES + 1))
    before = chat.tasks()
    chat.say("add some errands to my tasks")
    assert chat.tasks() == before
    assert chat.pending()


def test_the_limit_counts_over_all_rounds(chat: Chat, model: ServeModel) -> None:
    chat.driver = "llm"
    more = stream(*[call("add_task", json.dumps({"title": f"more {place}"}), place) for place in range(3)])
    model(adds(3), more, says("Done."))
    before = len(chat.tasks())
    chat.say("add a task called errand 0")
    assert len(chat.tasks()) == before + 3
    assert chat.pending()


def test_more_calls_than_anybody_means_are_no_answer(chat: Chat, model: ServeModel) -> None:
    chat.driver = "llm"
    model(adds(1500))
    turn = chat.say("hello")
    assert turn.route == "llm_broken"
    assert "1,500 calls at once" in turn.llm_summary["problem"]


@pytest.mark.parametrize("text", ["don't complete buy milk", "what if I completed buy milk?"])
def test_words_that_speak_of_it_without_asking_do_not_count(text: str, chat: Chat, model: ServeModel) -> None:
    chat.driver = "llm"
    model(completes("Buy milk"), says("Done."))
    chat.say(text)
    assert not chat.tasks()["Buy milk"].completed
