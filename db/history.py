"""The turns of a person as a list: filtered, ordered and paged by the database, however many there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, case, exists
from sqlmodel import Session, col, func, or_, select

from db.models import DecisionRow, TurnRow
from db.turns import StoredTurn, snapshot

Standing = Literal["all", "agree", "differ", "silent", "broken", "alone"]
HistoryOrder = Literal["newest", "differ"]
_BATCH = 200
_STANDINGS: dict[str, tuple[str, ...]] = {
    "agree": ("agree", "both_silent"),
    "differ": ("differ",),
    "silent": ("first_silent", "second_silent"),
}
_FAILED = ("failed", "cancelled")


@dataclass(frozen=True, slots=True)
class TurnQuery:
    """Which turns. What is None does not matter."""

    standing: Standing = "all"
    """`broken`: a broken call or no answer; `alone`: the LLM was not asked, or has not answered yet."""
    driver: str | None = None
    lane: str | None = None
    route: str | None = None
    intent: str | None = None
    """As either lane read it; so are action and reason."""
    action: str | None = None
    reason: str | None = None
    text: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Up to, and without, this moment."""
    order: HistoryOrder = "newest"


def count_turns(session: Session, user_id: str, query: TurnQuery) -> int:
    return session.exec(select(func.count()).select_from(TurnRow).where(*_conditions(user_id, query))).one()


def count_standings(session: Session, user_id: str) -> dict[str, int]:
    """How many turns there are of each standing, over all turns of the person."""
    groups = session.exec(
        select(TurnRow.agreement, TurnRow.llm_status, func.count())
        .where(TurnRow.user_id == user_id)
        .group_by(col(TurnRow.agreement), col(TurnRow.llm_status))
    )
    counts = dict.fromkeys(("all", "agree", "differ", "silent", "broken", "alone"), 0)
    for agreement, status, number in groups:
        counts["all"] += number
        counts[_standing(agreement, status)] += number
    return counts


def find_history(
    session: Session, user_id: str, query: TurnQuery, *, limit: int, offset: int
) -> tuple[StoredTurn, ...]:
    """One page, whole: a card shows the tasks that the deciders saw."""
    ids = select(TurnRow.id).where(*_conditions(user_id, query)).order_by(*_order(query)).limit(limit).offset(offset)
    wanted = list(session.exec(ids))  # first the ids alone: sorting must not carry the contexts along
    rows = {row.id: row for row in session.exec(select(TurnRow).where(col(TurnRow.id).in_(wanted)))}
    return tuple(snapshot(rows[turn_id]) for turn_id in wanted)


def find_history_ids(session: Session, user_id: str, query: TurnQuery) -> tuple[str, ...]:
    return tuple(session.exec(select(TurnRow.id).where(*_conditions(user_id, query)).order_by(*_order(query))))


def batches(ids: tuple[str, ...], size: int = _BATCH) -> Iterator[tuple[str, ...]]:
    """For work over many turns: so few at a time that none of it weighs much."""
    for start in range(0, len(ids), size):
        yield ids[start : start + size]


def _standing(agreement: str | None, status: str) -> str:
    if agreement == "broken" or status in _FAILED:
        return "broken"
    return next((name for name, kinds in _STANDINGS.items() if agreement in kinds), "alone")


def _conditions(user_id: str, query: TurnQuery) -> list[Any]:
    found: list[Any] = [TurnRow.user_id == user_id]
    for name in ("driver", "lane", "route"):
        if getattr(query, name):
            found.append(getattr(TurnRow, name) == getattr(query, name))
    found += _standing_conditions(query.standing)
    wanted = {name: getattr(query, name) for name in ("intent", "action", "reason")}
    read = [getattr(DecisionRow, name) == value for name, value in wanted.items() if value]
    if read:
        found.append(exists().where(col(DecisionRow.turn_id) == col(TurnRow.id), *read))
    if query.text:
        found.append(col(TurnRow.text).icontains(query.text, autoescape=True))
    if query.since:
        found.append(TurnRow.created_at >= query.since)
    if query.until:
        found.append(TurnRow.created_at < query.until)
    return found


def _standing_conditions(standing: Standing) -> list[ColumnElement[bool]]:
    if standing in _STANDINGS:
        return [col(TurnRow.agreement).in_(_STANDINGS[standing])]
    if standing == "broken":
        return [or_(col(TurnRow.agreement) == "broken", col(TurnRow.llm_status).in_(_FAILED))]
    if standing == "alone":
        return [col(TurnRow.agreement).is_(None), col(TurnRow.llm_status).not_in(_FAILED)]
    return []


def _order(query: TurnQuery) -> tuple[Any, ...]:
    newest = (col(TurnRow.created_at).desc(), col(TurnRow.position).desc())
    if query.order == "newest":
        return newest
    weight = case(
        (col(TurnRow.agreement) == "differ", 0),
        (col(TurnRow.agreement).in_(_STANDINGS["silent"]), 1),
        (col(TurnRow.agreement) == "broken", 2),
        else_=3,
    )
    return (weight, *newest)
