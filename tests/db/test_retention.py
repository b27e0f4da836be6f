"""How long turns are kept: stripped of their words or removed after a while, in the background."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import select, update

from db.connection import Database
from db.models import ConversationRow, DecisionRow, TurnRow
from db.turns.conversations import find_conversation, start_conversation
from db.turns.history import count_turns, find_history
from db.turns.query import TurnQuery
from db.turns.retention import Retention, RetentionWatch
from db.turns.turns import find_turn, read_decisions, record_decision, settle_turn
from db.users import User
from tests.db.test_turns import DECISION, DONE, add_turn

pytestmark = pytest.mark.both_databases

SECRET = "a very private matter"
NOW = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)


@pytest.fixture
def conversation(database: Database, ada: User) -> str:
    """One turn of forty days ago, one of ten days ago."""
    with database.write() as session:
        conversation = start_conversation(session, ada.id)
        for turn_id, days in (("old", 40), ("young", 10)):
            add_turn(session, ada, conversation, turn_id, text=SECRET)
            settle_turn(session, ada.id, turn_id, DONE)
            body = {**DECISION, "message": SECRET}
            record_decision(session, ada.id, conversation, turn_id, body=body, drives=True)
            moment = NOW - timedelta(days=days)
            session.exec(update(TurnRow).where(TurnRow.id == turn_id).values(created_at=moment))  # type: ignore[arg-type]
        began = NOW - timedelta(days=40)
        session.exec(update(ConversationRow).values(created_at=began, updated_at=NOW - timedelta(days=10)))
    return conversation


def keep(database: Database, retention: Retention | None) -> int:
    return RetentionWatch(lambda: database, retention, lambda: NOW).look()


def test_an_old_turn_loses_its_words_and_keeps_its_figures(database: Database, ada: User, conversation: str) -> None:
    assert keep(database, Retention(30)) == 1
    assert keep(database, Retention(30)) == 0
    with database.read() as session:
        old, young = find_turn(session, ada.id, "old"), find_turn(session, ada.id, "young")
        assert old
        assert young
        assert (old.text, old.reply, old.results, dict(old.context)) == ("", "", (), {})
        assert (old.stripped, young.stripped, young.text) == (True, False, SECRET)
        row = session.exec(select(DecisionRow).where(DecisionRow.turn_id == "old")).one()
        assert (row.action, row.confidence, row.body) == ("execute", 0.93, {})
        assert list(read_decisions(session, ada.id, ["old", "young"])) == ["young"]
        assert count_turns(session, ada.id, TurnQuery()) == 2
        assert [each.id for each in find_history(session, ada.id, TurnQuery(with_words=True), limit=9, offset=0)] == [
            "young"
        ]
        named = find_conversation(session, ada.id, conversation)
        assert named
        assert SECRET not in named.title


def test_an_old_turn_goes_altogether_and_an_empty_conversation_with_it(
    database: Database, ada: User, conversation: str
) -> None:
    assert keep(database, Retention(30, "remove")) == 1
    with database.read() as session:
        assert find_turn(session, ada.id, "old") is None
        assert find_turn(session, ada.id, "young")
    assert keep(database, Retention(5, "remove")) == 1
    with database.read() as session:
        assert find_conversation(session, ada.id, conversation) is None
        assert list(session.exec(select(DecisionRow))) == []


def test_without_a_setting_nothing_is_ever_forgotten(database: Database, ada: User, conversation: str) -> None:
    assert keep(database, None) == 0
    with database.read() as session:
        assert count_turns(session, ada.id, TurnQuery(with_words=True)) == 2
