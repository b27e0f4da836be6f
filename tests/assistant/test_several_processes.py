"""Two processes with one store: what one of them knows alone must not be enough to do something twice."""

from __future__ import annotations

import pytest

from assistant import turnstiles
from db.failures import ToolFailure
from tests.assistant.conftest import Chat


def test_a_question_is_answered_once_whichever_process_hears_the_yes(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second process reads its yes before the first one's is kept, and comes to keep its own afterwards."""
    chat.say("delete buy milk")
    assert chat.pending()
    decide = chat.assistant._decide
    said: list[str] = []

    def decide_late(*arguments: object) -> object:
        turn = decide(*arguments)  # type: ignore[arg-type]
        if not said:
            said.append("yes")
            monkeypatch.setattr(turnstiles, "_turnstiles", {})  # another process has turnstiles of its own
            chat.say("yes")
        return turn

    monkeypatch.setattr(chat.assistant, "_decide", decide_late)
    again = chat.say("yes")
    assert "Buy milk" not in chat.tasks()
    assert [result["tool_name"] for result in again.results] == []
    with chat.database.read() as session:
        trail = session.connection().exec_driver_sql(
            "SELECT count(*) FROM tool_calls WHERE tool_name = 'delete_task' AND error_kind IS NULL"
        )
        assert trail.scalar() == 1


def test_a_conversation_of_somebody_else_stays_unreachable(chat: Chat) -> None:
    with pytest.raises(ToolFailure):
        chat.assistant.run_turn("no such conversation", "yes", "engine", chat.lanes)
