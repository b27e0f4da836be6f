"""Turns over time, counted by the database: one row a bucket comes back, however many turns lie in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import CTE, ColumnElement, Integer, and_, column, values
from sqlalchemy.orm import aliased
from sqlmodel import Session, case, col, func, select

from db.evaluation.review_models import VerdictChangeRow
from db.evaluation.verdicts import Lane
from db.models import ConversationRow, DecisionRow, TurnRow
from db.turns.query import Standing, TurnQuery, conditions, standing_of_turn

Measure = Literal["confidence", "elapsed_ms"]


@dataclass(frozen=True, slots=True)
class Bucket:
    """A stretch of time: an hour, a day, a week or a month by the clock on the wall."""

    start: datetime
    until: datetime
    """Without this moment itself."""


class Figures(NamedTuple):
    """What a lane measured in a bucket."""

    size: int
    median: float
    high: float
    """Nineteen of twenty are at most this."""


def find_first_and_last(session: Session, user_id: str) -> tuple[datetime, datetime] | None:
    """When the person's first and latest turn were; of all turns, so that an axis stays when a filter changes."""
    moments = col(TurnRow.created_at)
    # Two questions: each reads one end of the index, while both in one would read all of it.
    first = session.exec(select(func.min(moments)).where(TurnRow.user_id == user_id)).one()
    last = session.exec(select(func.max(moments)).where(TurnRow.user_id == user_id)).one()
    return (first, last) if first and last else None


def count_over_time(
    session: Session, user_id: str, query: TurnQuery, buckets: Sequence[Bucket]
) -> tuple[dict[Standing, int], ...]:
    """For each bucket, how many turns there are of each standing."""
    edges = _edges(buckets)
    groups = session.exec(
        select(edges.c.place, TurnRow.agreement, TurnRow.llm_status, func.count())
        .select_from(edges)
        .join(TurnRow, _within(edges))
        .where(*conditions(user_id, query))
        .group_by(edges.c.place, col(TurnRow.agreement), col(TurnRow.llm_status))
    )
    found: tuple[dict[Standing, int], ...] = tuple({} for _ in buckets)
    for place, agreement, status, number in groups:
        standing = standing_of_turn(agreement, status)
        found[place][standing] = found[place].get(standing, 0) + number
    return found


def measure_over_time(
    session: Session, user_id: str, query: TurnQuery, buckets: Sequence[Bucket], measure: Measure
) -> tuple[dict[Lane, Figures], ...]:
    """For each bucket and lane, how sure or how quick it was. An LLM that gave no answer measured nothing."""
    edges, decided = _edges(buckets), aliased(DecisionRow)  # a filter may look into decisions on its own
    value = getattr(decided, measure)
    bin_ = _rounded(value) if measure == "elapsed_ms" else func.round(value * 100) / 100
    rows = session.exec(
        select(edges.c.place, decided.decider, bin_.label("bin"), func.count())
        .select_from(edges)
        .join(TurnRow, _within(edges))
        .join(decided, col(decided.turn_id) == col(TurnRow.id))
        .where(*conditions(user_id, query), value.is_not(None), col(decided.reason) != "unavailable")
        .group_by(edges.c.place, col(decided.decider), "bin")
        .order_by(edges.c.place, col(decided.decider), "bin")
    )
    spread: dict[tuple[int, Lane], list[tuple[float, int]]] = {}
    for place, lane, number, times in rows:
        spread.setdefault((place, lane), []).append((number, times))  # type: ignore[arg-type]
    found: tuple[dict[Lane, Figures], ...] = tuple({} for _ in buckets)
    for (place, lane), bins in spread.items():
        found[place][lane] = _figures(bins)
    return found


def _rounded(value: Any) -> ColumnElement[float]:
    """Milliseconds to two figures. Counting equal values is half the work of ranking them all for a median."""
    steps = ((1, 0.01), (10, 0.1), (100, 1), (1000, 10), (10_000, 100), (100_000, 1000))
    return case(*((value < below, func.round(value / step) * step) for below, step in steps), else_=value)


def _figures(bins: Sequence[tuple[float, int]]) -> Figures:
    """From values in order, each with how often it came."""
    total = sum(count for _, count in bins)
    return Figures(total, _at(bins, (total + 1) // 2), _at(bins, -(-total * 19 // 20)))


def _at(bins: Sequence[tuple[float, int]], rank: int) -> float:
    passed = 0
    for value, count in bins:
        passed += count
        if passed >= rank:
            return round(value, 2)
    raise ValueError("no such rank")


def _edges(buckets: Sequence[Bucket]) -> CTE:
    """The buckets as a table. Their edges are made in Python, which knows time zones and summer time."""
    rows = [(place, bucket.start, bucket.until) for place, bucket in enumerate(buckets)]
    moment = TurnRow.__table__.c.created_at.type  # type: ignore[attr-defined]
    table = values(column("place", Integer), column("start", moment), column("until", moment), name="edges")
    return table.data(rows).cte("edges")


def _within(edges: CTE) -> ColumnElement[bool]:
    return and_(col(TurnRow.created_at) >= edges.c.start, col(TurnRow.created_at) < edges.c.until)


def read_stamp(session: Session, user_id: str) -> tuple[int, int]:
    """Changes whenever a turn or a verdict of the person does: what was counted before may be out of date, then."""
    turns = session.exec(select(func.sum(ConversationRow.revision)).where(ConversationRow.user_id == user_id)).one()
    verdicts = session.exec(
        select(func.max(VerdictChangeRow.sequence)).where(VerdictChangeRow.user_id == user_id)
    ).one()
    return int(turns or 0), int(verdicts or 0)
