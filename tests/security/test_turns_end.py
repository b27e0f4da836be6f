"""A turn never waits for ever: whatever goes wrong in the LLM's part, it ends and says so."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.records import TurnRecords
from db.failures import StoreUnavailableError
from db.turns.turns import StoredTurn
from tests.assistant.conftest import Chat, ServeModel, calls, chat, model, says
from ui.talk import live_turns

__all__ = ["chat", "model"]


def say_as_the_page_does(chat: Chat, text: str) -> StoredTurn:
    turn = chat.assistant.begin_turn(chat.id, text, chat.driver, chat.lanes)
    live_turns.start(chat.assistant, turn)
    for thread in live_turns.threads():
        thread.join(20)
    return chat.turn(turn.id)


@pytest.mark.parametrize("part", ["keep_llm", "keep_settled"])
@pytest.mark.parametrize("error", [TypeError("a bug"), UnicodeEncodeError("utf-8", "\ud83d", 0, 1, "no")])
def test_a_bug_in_keeping_the_turn_ends_it(
    part: str, error: Exception, chat: Chat, model: ServeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_values: Any) -> None:
        raise error

    chat.driver = "llm"
    model(calls("list_tasks"), says("There."))
    monkeypatch.setattr(TurnRecords, part, fail)
    turn = say_as_the_page_does(chat, "what is on my list?")
    assert turn.lane is not None
    assert turn.llm_status == "failed"
    assert turn.reply


def test_a_store_that_was_away_for_a_moment_does_not_leave_the_turn_waiting(
    chat: Chat, model: ServeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_values: Any) -> None:
        raise StoreUnavailableError("The database is busy.")

    chat.driver = "llm"
    model(says("Hello."))
    monkeypatch.setattr(TurnRecords, "keep_settled", fail)
    turn = say_as_the_page_does(chat, "what is on my list?")
    assert (turn.reply, turn.llm_status) == ("The database is busy.", "failed")
