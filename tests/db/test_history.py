"""The list of turns: what the database filters, counts, orders and pages; and turns kept by an earlier version."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from db.connection import Database, Session
from db.models import DecisionRow, TurnRow
from db.schema.migrations import MIGRATIONS, migrate
from db.turns.conversations import start_conversation
from db.turns.history import (
    batches,
    count_standings,
    count_turns,
    find_history,
    find_history_ids,
    find_next_id,
)
from db.turns.query import TurnQuery
from db.turns.turns import StoredTurn
from db.users import User
from domains.deciders import make_engine
from engine.border.json_form import to_json
from engine.decision import Context
from engine.targets.memory_index import MemoryIndex
from engine.text.folding import fold
from tests.conftest import NOW
from tests.db.test_migrations import insert_task

pytestmark = pytest.mark.both_databases

BEGAN = datetime(2026, 3, 1, 8, tzinfo=UTC)
TURNS: tuple[dict[str, Any], ...] = (
    {"text": "add a task to buy milk", "agreement": "agree", "llm_status": "answered"},
    {"text": "delete 100% of it", "agreement": "differ", "llm_status": "answered", "driver": "llm", "lane": "llm"},
    {"text": "hello there", "agreement": "both_silent", "llm_status": "answered"},
    {"text": "show my tasks", "agreement": "second_silent", "llm_status": "answered", "route": "veto"},
    {"text": "complete it", "agreement": "broken", "llm_status": "answered"},
    {"text": "who am i", "agreement": None, "llm_status": "failed"},
    {"text": "Buy MILK  again, PERCHÉ no", "agreement": None, "llm_status": "off"},
)
DECIDED_AS = {2: "hello", 7: "hello"}
"""What the engine makes of these texts is not what is tested here: as if they asked for nothing."""


@pytest.fixture
def turns(database: Database, ada: User, bob: User) -> Database:
    with database.write() as session:
        for user in (ada, bob):
            conversation = start_conversation(session, user.id)
            for place, turn in enumerate(TURNS, start=1):
                turn_id = f"{user.handle}-{place}"
                base: dict[str, Any] = {"driver": "engine", "lane": "engine", "route": "engine_drives", "reply": "ok"}
                session.add(
                    TurnRow(
                        id=turn_id,
                        user_id=user.id,
                        conversation_id=conversation,
                        position=place,
                        created_at=BEGAN + timedelta(days=place),
                        context={"tasks": []},
                        text_key=fold(turn["text"]),
                        **{**base, **turn},
                    )
                )
                said = DECIDED_AS.get(place, turn["text"])
                body = to_json(make_engine().decide(said, Context(MemoryIndex(), NOW)))
                row = {name: body[name] for name in ("decider", "action", "intent", "reason", "confidence")}
                session.add(
                    DecisionRow(
                        id=f"d-{turn_id}",
                        user_id=user.id,
                        conversation_id=conversation,
                        turn_id=turn_id,
                        drives=True,
                        body=body,
                        created_at=BEGAN,
                        **row,
                    )
                )
    return database


def places(database: Database, user: User, **query: Any) -> list[int]:
    with database.read() as session:
        ids = find_history_ids(session, user.id, TurnQuery(**query))
        assert count_turns(session, user.id, TurnQuery(**query)) == len(ids)
        page = find_history(session, user.id, TurnQuery(**query), limit=50, offset=0)
        if query.get("order", "newest") == "newest":
            walk_through(session, user, TurnQuery(**query), page)
    assert tuple(turn.id for turn in page) == ids
    return [int(turn_id.rpartition("-")[2]) for turn_id in ids]


def walk_through(session: Session, user: User, query: TurnQuery, page: tuple[StoredTurn, ...]) -> None:
    """From turn to turn is the same way as down the list."""
    for place, turn in enumerate(page):
        newer, older = (find_next_id(session, user.id, query, turn, newer=way) for way in (True, False))
        assert newer == (page[place - 1].id if place else None)
        assert older == (page[place + 1].id if place + 1 < len(page) else None)


def test_the_newest_turn_comes_first_and_nobody_sees_anothers(turns: Database, ada: User) -> None:
    assert places(turns, ada) == [7, 6, 5, 4, 3, 2, 1]


def test_disagreements_come_first_if_asked_for(turns: Database, ada: User) -> None:
    assert places(turns, ada, order="differ") == [2, 4, 5, 7, 6, 3, 1]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"standing": "agree"}, [3, 1]),
        ({"standing": "differ"}, [2]),
        ({"standing": "silent"}, [4]),
        ({"standing": "broken"}, [6, 5]),
        ({"standing": "alone"}, [7]),
        ({"driver": "llm"}, [2]),
        ({"lane": "engine", "standing": "differ"}, []),
        ({"route": "veto"}, [4]),
        ({"intent": "add_task"}, [1]),
        ({"action": "reply", "intent": "unknown"}, [7, 3, 2]),
        ({"reason": "not_about_tasks", "text": "hello"}, [3]),
        ({"text": "milk"}, [7, 1]),
        ({"text": "perche NO "}, [7]),
        ({"text": "milk again"}, [7]),
        ({"decider": "engine", "intent": "add_task"}, [1]),
        ({"decider": "llm", "intent": "add_task"}, []),
        ({"standing": "disagree"}, [5, 4, 2]),
        ({"text": "100%"}, [2]),
        ({"text": "1_0"}, []),
        ({"since": BEGAN + timedelta(days=6)}, [7, 6]),
        ({"until": BEGAN + timedelta(days=2)}, [1]),
    ],
)
def test_each_filter_keeps_what_fits(turns: Database, ada: User, query: dict[str, Any], expected: list[int]) -> None:
    assert places(turns, ada, **query) == expected


def test_the_counts_add_up(turns: Database, ada: User) -> None:
    with turns.read() as session:
        counts = count_standings(session, ada.id)
    assert counts == {"all": 7, "disagree": 3, "agree": 2, "differ": 1, "silent": 1, "broken": 2, "alone": 1}
    assert sum(number for name, number in counts.items() if name not in ("all", "disagree")) == counts["all"]


def test_paging_goes_through_all_turns_once(turns: Database, ada: User) -> None:
    with turns.read() as session:
        pages = [find_history(session, ada.id, TurnQuery(), limit=3, offset=offset) for offset in (0, 3, 6)]
    assert [turn.position for page in pages for turn in page] == [7, 6, 5, 4, 3, 2, 1]
    assert [len(batch) for batch in batches(tuple("abcdefg"), 3)] == [3, 3, 1]


def test_turns_of_an_earlier_version_are_compared_when_it_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    before = next(place for place, each in enumerate(MIGRATIONS) if each.__name__ == "add_agreements")
    decided = to_json(make_engine().decide("show my tasks", Context(MemoryIndex(), NOW)))
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        migrate(connection, target=before)
        insert_task(connection)
        connection.execute(text("INSERT INTO conversations (id, user_id, title, created_at, updated_at) "
                                "VALUES ('c', 'u1', 't', '2026-01-01', '2026-01-01')"))  # fmt: skip
        for turn, llm in (("same", decided), ("other", {**decided, "calls": []}), ("odd", {"no": "record"})):
            connection.execute(
                text("INSERT INTO turns (id, user_id, conversation_id, position, text, driver, task_ids, results, "
                     "context, llm_status, llm_summary, created_at) VALUES (:id, 'u1', 'c', :place, 'x', 'engine', "
                     "'[]', '[]', '{}', 'answered', '{}', '2026-01-01 08:00:00')"),
                {"id": turn, "place": len(turn)},
            )  # fmt: skip
            for decider, body in (("engine", decided), ("llm", llm)):
                connection.execute(
                    text("INSERT INTO decisions (id, user_id, conversation_id, turn_id, decider, action, intent, "
                         "reason, drives, body, created_at) VALUES (:id, 'u1', 'c', :turn, :decider, 'execute', "
                         "'list_tasks', 'matched_rule', 0, :body, '2026-01-01')"),
                    {"id": f"{turn}-{decider}", "turn": turn, "decider": decider, "body": json.dumps(body)},
                )  # fmt: skip
    engine.dispose()
    database = Database(f"sqlite:///{path}")
    with database.read() as session:
        found = {turn.id: turn.agreement for turn in find_history(session, "u1", TurnQuery(), limit=9, offset=0)}
    database.close()
    assert found == {"same": "agree", "other": "second_silent", "odd": None}


def test_turns_of_the_version_before_can_be_searched_without_case_and_accents(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    before = next(place for place, each in enumerate(MIGRATIONS) if each.__name__ == "add_folded_texts")
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        migrate(connection, target=before)
        insert_task(connection)
        connection.execute(text("INSERT INTO conversations (id, user_id, title, created_at, updated_at) "
                                "VALUES ('c', 'u1', 't', '2026-01-01', '2026-01-01')"))  # fmt: skip
        connection.execute(
            text("INSERT INTO turns (id, user_id, conversation_id, position, text, driver, task_ids, results, "
                 "context, llm_status, llm_summary, created_at) VALUES ('t', 'u1', 'c', 1, 'Aggiungi ATTIVITÀ', "
                 "'engine', '[]', '[]', '{}', 'off', '{}', '2026-01-01 08:00:00')")
        )  # fmt: skip
    engine.dispose()
    database = Database(f"sqlite:///{path}")
    with database.read() as session:
        assert find_history_ids(session, "u1", TurnQuery(text="attivita")) == ("t",)
        assert find_history_ids(session, "u1", TurnQuery(text="attivo")) == ()
    database.close()
