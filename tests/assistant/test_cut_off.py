"""A turn of the LLM that was cut off when a part of it was done: told, gone on with or taken back, never doubled."""

from __future__ import annotations

from typing import Any

import pytest

from assistant import TurnCutOffError, TurnInProgressError
from assistant.buttons import going_on
from assistant.taking_back import changes_in, take_back
from db.audit import Origin
from db.executor import Executor
from db.turns.turns import StoredTurn
from engine.values import ErrorKind, make_call
from llm.decider import LLMDecider
from tests.assistant.conftest import Chat, ServeModel, calls, says
from tests.conftest import NOW

TEXT = "mark buy milk as done and add a task to water the plants"
PLANTS = "water the plants"
DONE, ADDED = calls("complete_task", task_identifier="buy milk"), calls("add_task", title=PLANTS)


class PowerCut(BaseException):
    """Nothing in a turn catches it, as nothing catches kill -9."""


def cut_after_the_first_round(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> StoredTurn:
    """The turn as it is shown when the workbench runs again."""
    ask, asked = LLMDecider.ask, list[int]()

    def ask_once(*values: Any, **named: Any) -> Any:
        asked.append(1)
        if len(asked) > 1:
            raise PowerCut
        return ask(*values, **named)

    chat.driver = "llm"
    with monkeypatch.context() as patched:
        patched.setattr(LLMDecider, "ask", ask_once)
        turn = chat.assistant.begin_turn(chat.id, TEXT, "llm", chat.lanes)
        with pytest.raises(PowerCut):
            chat.assistant.finish_turn(turn)
    chat.assistant.give_up_turn(chat.turn(turn.id))
    return chat.turn(turn.id)


def count_plants(chat: Chat) -> int:
    found = Executor(chat.database, chat.user, lambda: NOW).execute(
        make_call("list_tasks", {"search": PLANTS}, "person"), Origin("person")
    )
    return int(str(found.payload["total"]))


def test_what_was_done_is_told_and_can_be_gone_on_with_or_taken_back(
    chat: Chat, model: ServeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    model(DONE)
    turn = cut_after_the_first_round(chat, monkeypatch)
    assert (turn.lane, turn.route, turn.llm_status) == ("llm", "cut_off", "failed")
    assert "'Buy milk' (#4) is done." in str(turn.reply)
    assert "cut off" in str(turn.reply)
    assert [(button.label, button.says) for button in going_on(turn)] == [("Go on", TEXT)]
    assert len(changes_in(turn)) == 1
    assert chat.decisions(turn)["llm"]["calls"][0]["tool_name"] == "complete_task"
    assert turn.context["tasks"], "what was seen is kept"
    result = take_back(Executor(chat.database, chat.user, lambda: NOW), turn)
    assert result
    assert not chat.tasks()["Buy milk"].completed


def test_said_again_it_goes_on_where_it_was(chat: Chat, model: ServeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    server = model(DONE, ADDED, says("Both are done."))
    cut = cut_after_the_first_round(chat, monkeypatch)
    turn = chat.say(f"  {TEXT.upper()}")
    assert turn.id == cut.id
    told = server.requests[1]["messages"]
    assert [message["role"] for message in told[-2:]] == ["assistant", "tool"], "the model reads what it did before"
    assert (turn.route, turn.llm_status, turn.llm_summary["words"]) == ("llm_drives", "answered", "Both are done.")
    assert [result["tool_name"] for result in turn.results] == ["complete_task", "add_task"]
    assert turn.llm_summary["exchanges"] == 3
    assert count_plants(chat) == 1
    assert not going_on(turn)
    assert turn.context == cut.context
    result = take_back(Executor(chat.database, chat.user, lambda: NOW), turn)
    assert result
    assert result.payload["count"] == 2, "both rounds are undone in one go"


def test_a_model_that_begins_anew_does_nothing_twice(
    chat: Chat, model: ServeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    model(ADDED, ADDED, says("Done."))
    cut_after_the_first_round(chat, monkeypatch)
    chat.say(TEXT)
    assert count_plants(chat) == 1


def test_without_an_llm_it_is_taken_back_and_done_anew(
    chat: Chat, model: ServeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine_alone = chat.lanes
    model(ADDED)
    cut = cut_after_the_first_round(chat, monkeypatch)
    chat.driver, chat.lanes = "engine", engine_alone
    turn = chat.say(TEXT)
    assert turn.id != cut.id
    assert chat.tasks()["Buy milk"].completed
    assert count_plants(chat) == 1


def test_what_was_changed_since_is_not_taken_back_behind_the_back(
    chat: Chat, model: ServeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine_alone = chat.lanes
    model(ADDED)
    cut_after_the_first_round(chat, monkeypatch)
    changing = make_call("update_task", {"task_identifier": PLANTS, "new_priority": "high"}, "person")
    assert Executor(chat.database, chat.user, lambda: NOW).execute(changing, Origin("person")).ok
    chat.driver, chat.lanes = "engine", engine_alone
    with pytest.raises(TurnCutOffError, match="Added 'water the plants'"):
        chat.say(TEXT)
    assert count_plants(chat) == 1


def test_once_taken_back_the_same_words_are_a_new_message(
    chat: Chat, model: ServeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    model(ADDED, DONE, ADDED, says("Done."))
    cut = cut_after_the_first_round(chat, monkeypatch)
    take_back(Executor(chat.database, chat.user, lambda: NOW), cut)
    assert chat.say(TEXT).id != cut.id
    assert count_plants(chat) == 1


def test_other_words_are_another_message(chat: Chat, model: ServeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    model(DONE, says("Hello."))
    cut = cut_after_the_first_round(chat, monkeypatch)
    assert chat.say("hello").id != cut.id


def test_whoever_was_thought_dead_does_nothing_more(chat: Chat, model: ServeModel) -> None:
    model(DONE)
    chat.driver = "llm"
    turn = chat.assistant.begin_turn(chat.id, "mark buy milk as done", "llm", chat.lanes)
    chat.assistant.give_up_turn(chat.turn(turn.id))
    chat.assistant.finish_turn(turn)
    assert not chat.tasks()["Buy milk"].completed, "it had been told that nothing was done"
    assert chat.turn(turn.id).route == "llm_failed"


def test_two_who_go_on_at_once_are_one(chat: Chat, model: ServeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    model(DONE, ADDED, says("Done."))
    cut_after_the_first_round(chat, monkeypatch)
    turn = chat.assistant.begin_turn(chat.id, TEXT, "llm", chat.lanes)
    with pytest.raises(TurnInProgressError):
        chat.assistant.begin_turn(chat.id, TEXT, "llm", chat.lanes)
    chat.assistant.finish_turn(turn)
    assert count_plants(chat) == 1


def test_a_bug_between_two_rounds_cuts_the_turn_off(
    chat: Chat, model: ServeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    model(DONE, ADDED)
    chat.driver = "llm"

    def fail(*_values: Any) -> None:
        raise TypeError("a bug")

    monkeypatch.setattr("assistant.settling.next_round", fail)
    turn = chat.say(TEXT)
    assert turn.route == "cut_off"
    assert len(changes_in(turn)) == 1
    assert count_plants(chat) == 0, "what the round did goes with it"


def test_the_store_makes_a_change_with_the_same_key_once(chat: Chat) -> None:
    executor, adding = Executor(chat.database, chat.user, lambda: NOW), make_call("add_task", {"title": PLANTS}, "llm")
    origin = Origin("llm", chat.id, "t1", key="t1/0/0")
    assert executor.execute(adding, origin).ok
    assert executor.execute(adding, origin).error is ErrorKind.CONFLICT
    assert executor.execute(adding, Origin("llm", chat.id, "t1", key="t1/1/0")).ok
    assert count_plants(chat) == 2
