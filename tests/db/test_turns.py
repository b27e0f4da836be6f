"""Conversations, messages and decisions."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import select

from db.connection import Database
from db.failures import ToolFailure
from db.models import DecisionRow
from db.turns import add_message, read_messages, record_decision, start_conversation
from db.users import User

DECISION = {
    "decider": "engine",
    "action": "execute",
    "intent": "add_task",
    "reason": "matched_rule",
    "confidence": 0.93,
    "ledger": [{"name": "verb", "amount": 0.93}],
}


def test_messages_come_back_in_order_with_the_tasks_they_named(database: Database, ada: User) -> None:
    with database.write() as session:
        conversation = start_conversation(session, ada.id, "Monday")
        for turn in range(3):
            said = {"turn_id": f"t{turn}", "content": f"message {turn}"}
            add_message(session, ada.id, conversation, role="user", **said)
            add_message(session, ada.id, conversation, role="assistant", task_ids=["a", "b"], **said)
    with database.read() as session:
        messages = read_messages(session, ada.id, conversation, limit=3)
    assert [(message.turn_id, message.role) for message in messages] == [
        ("t1", "assistant"),
        ("t2", "user"),
        ("t2", "assistant"),
    ]
    assert messages[-1].task_ids == ("a", "b")


def test_nobody_reads_or_writes_in_anothers_conversation(database: Database, ada: User, bob: User) -> None:
    with database.write() as session:
        conversation = start_conversation(session, ada.id, "Private")
        with pytest.raises(ToolFailure):
            read_messages(session, bob.id, conversation, limit=1)
        with pytest.raises(ToolFailure):
            add_message(session, bob.id, conversation, turn_id="t", role="user", content="hello")
        with pytest.raises(ToolFailure):
            record_decision(session, bob.id, conversation, "t", body=DECISION, drives=True)


def test_a_decision_is_kept_whole(database: Database, ada: User) -> None:
    with database.write() as session:
        conversation = start_conversation(session, ada.id, "Monday")
        record_decision(session, ada.id, conversation, "t1", body=DECISION, drives=True)
    with database.read() as session:
        row = session.exec(select(DecisionRow)).one()
    assert row.body == DECISION
    assert (row.intent, row.confidence, row.drives) == ("add_task", 0.93, True)


@pytest.mark.parametrize("change", [{"action": "explode"}, {"confidence": 1.2}])
def test_the_database_refuses_an_impossible_decision(database: Database, ada: User, change: dict[str, object]) -> None:
    with database.write() as session:
        conversation = start_conversation(session, ada.id, "Monday")
        with pytest.raises(IntegrityError):
            record_decision(session, ada.id, conversation, "t1", body={**DECISION, **change}, drives=True)
        session.rollback()
