"""What is kept of a conversation's turns between two messages, and what is read anew."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event

from db.connection import Database
from db.turns.conversations import start_conversation
from db.turns.latest import read_latest
from db.turns.retention import Retention, RetentionWatch
from db.turns.turns import StoredTurn, keep_llm_part, settle_turn, start_turn
from db.users import User
from tests.db.test_turns import DONE, add_turn

LATER = datetime.now(UTC) + timedelta(days=40)


@pytest.fixture
def conversation(database: Database, ada: User) -> str:
    with database.write() as session:
        conversation = start_conversation(session, ada.id)
        for turn_id in ("t1", "t2"):
            add_turn(session, ada, conversation, turn_id)
            settle_turn(session, ada.id, turn_id, DONE)
            keep_llm_part(session, ada.id, turn_id, status="off", summary={})
    return conversation


def read(database: Database, conversation: str, asked: list[str] | None = None) -> list[StoredTurn]:
    with database.read() as session:
        if asked is not None:
            note = lambda _c, _cursor, statement, *_rest: asked.append(statement)  # noqa: E731
            event.listen(session.connection(), "before_cursor_execute", note)
        return list(read_latest(session, conversation, 8))


def test_what_has_ended_is_read_once(database: Database, conversation: str) -> None:
    first, asked = read(database, conversation), list[str]()
    assert [turn.id for turn in first] == ["t1", "t2"]
    assert read(database, conversation, asked) == first
    assert len(asked) == 1, "only which turns there are"


def test_a_turn_that_waits_is_read_each_time(database: Database, ada: User, conversation: str) -> None:
    with database.write() as session:
        add_turn(session, ada, conversation, "t3")
    assert read(database, conversation)[-1].lane is None
    with database.write() as session:
        settle_turn(session, ada.id, "t3", DONE)
    assert read(database, conversation)[-1].llm_status == "waiting"
    with database.write() as session:
        keep_llm_part(session, ada.id, "t3", status="answered", summary={"model": "m"})
    last = read(database, conversation)[-1]
    assert (last.lane, last.llm_status, last.llm_summary) == ("engine", "answered", {"model": "m"})


def test_words_that_were_taken_out_are_gone(database: Database, conversation: str) -> None:
    assert all(turn.text for turn in read(database, conversation))
    RetentionWatch(lambda: database, Retention(30), lambda: LATER).look()
    assert [(turn.text, turn.stripped) for turn in read(database, conversation)] == [("", True)] * 2


def test_a_turn_that_ended_at_once_is_written_whole(database: Database, ada: User, conversation: str) -> None:
    with database.write() as session:
        start_turn(
            session, ada.id, conversation, turn_id="t3", text="add tea", driver="engine",
            context={"now": "2026"}, llm_status="off", settlement=DONE,
        )  # fmt: skip
    last = read(database, conversation)[-1]
    assert (last.position, last.lane, last.route, last.reply) == (3, DONE.lane, DONE.route, DONE.reply)
    assert (list(last.task_ids), list(last.results)) == (list(DONE.task_ids), list(DONE.results))
