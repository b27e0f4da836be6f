"""Turns over time: what the database counts and measures in each stretch."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from db.connection import Database
from db.models import DecisionRow
from db.turns.query import TurnQuery
from db.turns.timeline import Bucket, Figures, count_over_time, find_first_and_last, measure_over_time
from db.users import User
from tests.db.test_history import BEGAN, turns  # noqa: F401 - a fixture

pytestmark = pytest.mark.both_databases

DAYS = [Bucket(BEGAN + timedelta(days=day), BEGAN + timedelta(days=day + 2)) for day in (1, 3, 5, 7)]
"""Turns 1 and 2, 3 and 4, 5 and 6, and 7."""


def decided(database: Database, user: User, place: int, lane: str, ms: float | None, confidence: float | None) -> None:
    with database.write() as session:
        row = DecisionRow(
            id=f"{user.handle}-{place}-{lane}-{ms}-{confidence}",
            user_id=user.id,
            conversation_id="c",
            turn_id=f"{user.handle}-{place}",
            decider=lane,
            action="reply",
            intent="unknown",
            reason="unavailable" if ms == 0 else "model_replied",
            confidence=confidence,
            elapsed_ms=ms,
            drives=False,
            created_at=BEGAN,
        )
        session.add(row)


def test_the_first_and_the_last_turn_are_the_persons_own(turns: Database, ada: User) -> None:  # noqa: F811
    with turns.read() as session:
        assert find_first_and_last(session, ada.id) == (BEGAN + timedelta(days=1), BEGAN + timedelta(days=7))
        assert find_first_and_last(session, "nobody") is None


def test_turns_are_counted_by_stretch_and_standing(turns: Database, ada: User) -> None:  # noqa: F811
    with turns.read() as session:
        assert count_over_time(session, ada.id, TurnQuery(), DAYS) == (
            {"agree": 1, "differ": 1},
            {"agree": 1, "silent": 1},
            {"broken": 2},
            {"alone": 1},
        )
        milk = count_over_time(session, ada.id, TurnQuery(text="MILK", intent="add_task"), DAYS)
        assert milk == ({"agree": 1}, {}, {}, {})


def test_a_stretch_begins_at_its_start_and_ends_before_its_end(turns: Database, ada: User) -> None:  # noqa: F811
    first = BEGAN + timedelta(days=1)
    edges = [Bucket(first - timedelta(hours=1), first), Bucket(first, first + timedelta(hours=1))]
    with turns.read() as session:
        assert count_over_time(session, ada.id, TurnQuery(), edges) == ({}, {"agree": 1})


def test_times_are_measured_by_lane_with_the_median_and_what_most_stay_within(
    turns: Database,  # noqa: F811
    ada: User,
    bob: User,
) -> None:
    for ms in (0.123, 7.49, 81.4, 1234.0, 987_654.0):
        decided(turns, ada, 1, "llm", ms, None)
    decided(turns, ada, 2, "llm", 0, None)  # no answer
    decided(turns, bob, 1, "llm", 5000.0, None)
    with turns.read() as session:
        found = measure_over_time(session, ada.id, TurnQuery(), DAYS, "elapsed_ms")
    assert [set(each) for each in found] == [{"llm"}, set(), set(), set()]
    assert found[0]["llm"] == Figures(5, 81.0, 987_654.0)


def test_milliseconds_are_told_to_two_figures(turns: Database, ada: User) -> None:  # noqa: F811
    given = (0.123, 7.49, 81.4, 346.0, 1260.0)
    for place, ms in enumerate(given, start=1):
        decided(turns, ada, place, "llm", ms, None)
    moments = [BEGAN + timedelta(days=day) for day in range(1, 7)]
    days = [Bucket(start, until) for start, until in pairwise(moments)]
    with turns.read() as session:
        found = measure_over_time(session, ada.id, TurnQuery(), days, "elapsed_ms")
    assert [each["llm"].median for each in found] == [0.12, 7.5, 81.0, 350.0, 1300.0]


def test_confidence_is_measured_where_it_was_stated(turns: Database, ada: User) -> None:  # noqa: F811
    for confidence in (0.311, 0.752, None):
        decided(turns, ada, 7, "llm", 1.0, confidence)
    with turns.read() as session:
        found = measure_over_time(session, ada.id, TurnQuery(), DAYS, "confidence")
        narrowed = measure_over_time(session, ada.id, TurnQuery(intent="add_task"), DAYS, "confidence")
    assert found[3]["llm"] == Figures(2, 0.31, 0.75)
    assert [sum(lane.size for lane in each.values()) for each in narrowed] == [1, 0, 0, 0]


def test_no_stretch_at_all_is_no_mistake(turns: Database, ada: User) -> None:  # noqa: F811
    moment = datetime.now().astimezone()
    with turns.read() as session:
        assert count_over_time(session, ada.id, TurnQuery(), [Bucket(moment, moment)]) == ({},)
