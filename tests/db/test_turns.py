"""Conversations, turns and decisions."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from db.connection import Database
from db.failures import ToolFailure
from db.models import DecisionRow
from db.turns.conversations import (
    clear_conversation,
    find_conversation,
    list_conversations,
    rename_conversation,
    start_conversation,
)
from db.turns.turns import (
    Settlement,
    find_turn,
    keep_llm_part,
    read_decisions,
    read_turns,
    record_decision,
    settle_turn,
    start_turn,
)
from db.users import User

pytestmark = pytest.mark.both_databases

DECISION = {
    "decider": "engine",
    "action": "execute",
    "intent": "add_task",
    "reason": "matched_rule",
    "confidence": 0.93,
    "ledger": [{"name": "verb", "amount": 0.93}],
}
DONE = Settlement("engine", "engine_drives", "Added.", ["a", "b"], [{"tool_name": "add_task"}], None)


def add_turn(session: Session, user: User, conversation: str, turn_id: str, text: str = "hello") -> None:
    start_turn(
        session, user.id, conversation, turn_id=turn_id, text=text, driver="engine", context={}, llm_status="waiting"
    )


@pytest.fixture
def conversation(database: Database, ada: User) -> str:
    with database.write() as session:
        return start_conversation(session, ada.id)


def test_turns_come_back_in_order_with_what_came_of_them(database: Database, ada: User, conversation: str) -> None:
    with database.write() as session:
        for number in range(4):
            add_turn(session, ada, conversation, f"t{number}")
            settle_turn(session, ada.id, f"t{number}", DONE)
    with database.read() as session:
        turns = read_turns(session, ada.id, conversation, limit=3)
    assert [turn.id for turn in turns] == ["t1", "t2", "t3"]
    assert (turns[0].reply, turns[0].task_ids, turns[0].lane) == ("Added.", ("a", "b"), "engine")


def test_a_conversation_is_named_after_its_first_message_until_a_person_names_it(
    database: Database, ada: User, conversation: str
) -> None:
    with database.write() as session:
        add_turn(session, ada, conversation, "t1", "  add   a task\nto buy milk " + "x" * 100)
        add_turn(session, ada, conversation, "t2", "something else")
        (found,) = list_conversations(session, ada.id)
        assert found.title.startswith("add a task to buy milk xxx")
        assert (len(found.title), found.turns) == (80, 2)
        rename_conversation(session, ada.id, conversation, "  Monday ")
    with database.write() as session:
        clear_conversation(session, ada.id, conversation)
        add_turn(session, ada, conversation, "t3", "hello")
        assert [each.title for each in list_conversations(session, ada.id)] == ["Monday"]


@pytest.mark.parametrize("title", ["", "   ", "x" * 81])
def test_a_name_that_is_empty_or_too_long_is_refused(
    database: Database, ada: User, conversation: str, title: str
) -> None:
    with database.write() as session, pytest.raises(ToolFailure):
        rename_conversation(session, ada.id, conversation, title)


def test_an_empty_conversation_is_not_listed(database: Database, ada: User, conversation: str) -> None:
    with database.read() as session:
        assert list_conversations(session, ada.id) == ()


def test_clearing_takes_the_turns_and_their_decisions(database: Database, ada: User, conversation: str) -> None:
    with database.write() as session:
        add_turn(session, ada, conversation, "t1")
        record_decision(session, ada.id, conversation, "t1", body=DECISION, drives=True)
        settle_turn(session, ada.id, "t1", Settlement("engine", "engine_drives", "?", [], [], {"kind": "confirm"}))
        clear_conversation(session, ada.id, conversation)
        assert read_turns(session, ada.id, conversation) == ()
        assert read_decisions(session, ada.id, ["t1"]) == {}
        cleared = find_conversation(session, ada.id, conversation)
    assert cleared is not None
    assert cleared.pending is None


def test_every_change_of_a_conversation_moves_its_revision(database: Database, ada: User, conversation: str) -> None:
    seen = set()
    with database.write() as session:
        for change in (
            lambda: add_turn(session, ada, conversation, "t1"),
            lambda: settle_turn(session, ada.id, "t1", DONE),
            lambda: keep_llm_part(session, ada.id, "t1", status="answered", summary={}, context={}),
            lambda: rename_conversation(session, ada.id, conversation, "Tuesday"),
            lambda: clear_conversation(session, ada.id, conversation),
        ):
            change()
            found = find_conversation(session, ada.id, conversation)
            assert found is not None
            seen.add(found.revision)
    assert len(seen) == 5


def test_nobody_reads_or_writes_in_anothers_conversation(
    database: Database, ada: User, bob: User, conversation: str
) -> None:
    with database.write() as session:
        add_turn(session, ada, conversation, "t1")
        for forbidden in (
            lambda: read_turns(session, bob.id, conversation),
            lambda: add_turn(session, bob, conversation, "t2"),
            lambda: settle_turn(session, bob.id, "t1", DONE),
            lambda: rename_conversation(session, bob.id, conversation, "Mine"),
            lambda: clear_conversation(session, bob.id, conversation),
            lambda: record_decision(session, bob.id, conversation, "t1", body=DECISION, drives=True),
        ):
            with pytest.raises(ToolFailure):
                forbidden()
        assert find_turn(session, bob.id, "t1") is None
        assert find_conversation(session, bob.id, conversation) is None


def test_a_decision_is_kept_whole(database: Database, ada: User, conversation: str) -> None:
    with database.write() as session:
        record_decision(session, ada.id, conversation, "t1", body=DECISION, drives=True)
    with database.read() as session:
        row = session.exec(select(DecisionRow)).one()
    assert row.body == DECISION
    assert (row.intent, row.confidence, row.drives) == ("add_task", 0.93, True)


@pytest.mark.parametrize("change", [{"action": "explode"}, {"confidence": 1.2}])
def test_the_database_refuses_an_impossible_decision(
    database: Database, ada: User, conversation: str, change: dict[str, object]
) -> None:
    with database.write() as session:
        with pytest.raises(IntegrityError):
            record_decision(session, ada.id, conversation, "t1", body={**DECISION, **change}, drives=True)
        session.rollback()
