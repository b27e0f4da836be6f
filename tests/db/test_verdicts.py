"""Verdicts: one for a turn and lane, every change recorded, everybody their own."""

from __future__ import annotations

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from db.connection import Database
from db.evaluation.verdicts import find_last_change, read_verdicts, set_verdict
from db.failures import ToolFailure
from db.turns.conversations import clear_conversation
from db.turns.history import count_turns, find_history_ids
from db.turns.query import TurnQuery
from db.turns.turns import get_own_turn
from db.users import User
from tests.db.test_history import turns  # noqa: F401 - a fixture

pytestmark = pytest.mark.both_databases


def give(database: Database, user: User, *verdicts: tuple[int, str, str | None]) -> None:
    with database.write() as session:
        for place, lane, verdict in verdicts:
            set_verdict(session, user.id, f"{user.handle}-{place}", lane, verdict)  # type: ignore[arg-type]


def places(database: Database, user: User, **query: object) -> list[int]:
    with database.read() as session:
        found = find_history_ids(session, user.id, TurnQuery(**query))  # type: ignore[arg-type]
        assert count_turns(session, user.id, TurnQuery(**query)) == len(found)  # type: ignore[arg-type]
    return [int(turn_id.rpartition("-")[2]) for turn_id in found]


def test_a_verdict_is_kept_changed_and_taken_back(turns: Database, ada: User) -> None:  # noqa: F811
    give(turns, ada, (2, "engine", "right"), (2, "llm", "unsure"), (2, "engine", "wrong"), (2, "llm", None))
    with turns.read() as session:
        assert read_verdicts(session, ada.id, ["ada-2", "ada-4"]) == {"ada-2": {"engine": "wrong"}}
        steps = session.connection().execute(text("SELECT lane, before, after FROM verdict_changes ORDER BY sequence"))
        assert [tuple(step) for step in steps] == [
            ("engine", None, "right"),
            ("llm", None, "unsure"),
            ("engine", "right", "wrong"),
            ("llm", "unsure", None),
        ]


def test_the_same_verdict_again_is_no_change(turns: Database, ada: User) -> None:  # noqa: F811
    give(turns, ada, (2, "engine", "right"))
    with turns.write() as session:
        assert not set_verdict(session, ada.id, "ada-2", "engine", "right")
        assert session.connection().execute(text("SELECT count(*) FROM verdict_changes")).scalar() == 1


def test_verdicts_filter_the_list(turns: Database, ada: User) -> None:  # noqa: F811
    give(turns, ada, (2, "engine", "right"), (2, "llm", "wrong"), (4, "engine", "unsure"), (7, "engine", "wrong"))
    # The seventh was decided by the engine alone, so one verdict is all that it needs.
    assert places(turns, ada, reviewed=True) == [7, 2]
    assert places(turns, ada, reviewed=False) == [6, 5, 4, 3, 1]
    assert places(turns, ada, reviewed=False, standing="disagree") == [5, 4]
    assert places(turns, ada, verdict=("engine", "wrong")) == [7]
    assert places(turns, ada, verdict=("engine", "unsure")) == [4]
    assert places(turns, ada, verdict=("llm", "wrong")) == [2]
    assert places(turns, ada, verdict=("llm", "right")) == []


def test_nobody_judges_or_sees_anothers_turn(turns: Database, ada: User, bob: User) -> None:  # noqa: F811
    give(turns, ada, (2, "engine", "right"), (2, "llm", "wrong"))
    with turns.read() as session:
        assert read_verdicts(session, bob.id, ["ada-2", "bob-2"]) == {}
        assert find_last_change(session, bob.id) is None
    assert places(turns, bob, reviewed=True) == []
    assert places(turns, bob, verdict=("engine", "right")) == []
    with pytest.raises(ToolFailure, match="no such turn"), turns.write() as session:
        set_verdict(session, bob.id, "ada-2", "engine", "wrong")


def test_the_last_change_is_found_past_those_that_were_taken_back(turns: Database, ada: User) -> None:  # noqa: F811
    give(turns, ada, (2, "engine", "right"), (4, "llm", "wrong"))
    with turns.write() as session:
        last = find_last_change(session, ada.id)
        assert last
        assert (last.turn_id, last.lane, last.before, last.after) == ("ada-4", "llm", None, "wrong")
        assert last.text == "show my tasks"
        set_verdict(session, ada.id, "ada-4", "llm", None, undoes=last.id)
        earlier = find_last_change(session, ada.id)
        assert earlier
        assert (earlier.turn_id, earlier.after) == ("ada-2", "right")
        set_verdict(session, ada.id, "ada-2", "engine", None, undoes=earlier.id)
        assert find_last_change(session, ada.id) is None


def test_what_was_recorded_cannot_be_changed(turns: Database, ada: User) -> None:  # noqa: F811
    give(turns, ada, (2, "engine", "right"))
    for change in ("UPDATE verdict_changes SET after = 'wrong'", "DELETE FROM verdict_changes"):
        with pytest.raises(IntegrityError, match="append-only"), turns.write() as session:
            session.connection().execute(text(change))


def test_verdicts_go_with_a_cleared_conversation(turns: Database, ada: User, bob: User) -> None:  # noqa: F811
    give(turns, ada, (2, "engine", "right"))
    give(turns, bob, (2, "engine", "right"))
    with turns.write() as session:
        clear_conversation(session, ada.id, get_own_turn(session, ada.id, "ada-2").conversation_id)
    with turns.read() as session:
        assert read_verdicts(session, ada.id, ["ada-2"]) == {}
        assert find_last_change(session, ada.id) is None
        assert read_verdicts(session, bob.id, ["bob-2"]) == {"bob-2": {"engine": "right"}}
