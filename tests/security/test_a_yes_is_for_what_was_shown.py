"""A yes counts for the task as it was shown. One that has changed since is asked about anew."""

from __future__ import annotations

import pytest

from engine.outcome.routing import Driver
from tests.assistant.conftest import Chat, ServeModel, calls, chat, model, says
from tests.conftest import Call

__all__ = ["chat", "model"]


def test_a_task_that_was_renamed_between_question_and_yes_is_not_deleted(chat: Chat, call: Call) -> None:
    assert "delete 'Buy milk'" in str(chat.say("delete buy milk").reply)
    call("update_task", task_identifier="Buy milk", new_title="Tax papers")
    asked = chat.say("yes")
    assert asked.reply is not None
    assert "has changed since I asked" in asked.reply
    assert "Tax papers" in asked.reply
    assert "Tax papers" in chat.tasks()
    chat.say("yes")
    assert "Tax papers" not in chat.tasks()


@pytest.mark.parametrize("change", [{"new_due_date": "2026-03-09"}, {"new_description": "for Anna"}])
def test_every_change_that_people_see_counts(chat: Chat, call: Call, change: dict[str, str]) -> None:
    chat.say("delete buy milk")
    call("update_task", task_identifier="Buy milk", **change)
    chat.say("yes")
    assert "Buy milk" in chat.tasks()
    chat.say("no")
    assert "Buy milk" in chat.tasks()


def test_a_yes_to_what_is_as_it_was_needs_no_second_one(chat: Chat, call: Call) -> None:
    chat.say("delete buy milk")
    call("update_task", task_identifier="Renew passport", new_title="Renew the passport")
    chat.say("yes")
    assert "Buy milk" not in chat.tasks()


def test_a_choice_is_for_what_stood_on_the_button(chat: Chat, call: Call) -> None:
    chat.say("complete buy")
    assert chat.pending()
    call("update_task", task_identifier="Buy milk", new_title="Tax papers")
    assert "has changed since I asked" in str(chat.say("the first one").reply)
    assert not chat.tasks()["Tax papers"].completed


@pytest.mark.parametrize("driver", ["llm", "llm_guarded", "router"])
def test_it_holds_whoever_drives(driver: Driver, chat: Chat, model: ServeModel, call: Call) -> None:
    chat.driver = driver
    model(calls("delete_task", task_identifier="Buy milk"), calls("delete_task", task_identifier="#4"), says("Done."))
    chat.say("delete buy milk")
    call("update_task", task_identifier="Buy milk", new_title="Tax papers")
    chat.say("yes")
    assert "Tax papers" in chat.tasks()


def test_what_the_turn_itself_changed_is_not_asked_about_twice(chat: Chat) -> None:
    chat.say("rename buy milk to buy oat milk and delete buy milk")
    chat.say("yes")
    assert not {"Buy milk", "Buy oat milk", "buy oat milk"} & set(chat.tasks())
