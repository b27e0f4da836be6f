"""The turns of a person as a list: filtered, ordered and paged by the database, however many there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, literal, tuple_
from sqlmodel import Session, col, func, select

from db.models import TurnRow
from db.turns.query import TurnQuery, conditions, order_of, standing_of_turn
from db.turns.values import StoredTurn, snapshot

_BATCH = 200


def count_turns(session: Session, user_id: str, query: TurnQuery) -> int:
    return session.exec(select(func.count()).select_from(TurnRow).where(*conditions(user_id, query))).one()


def count_standings(session: Session, user_id: str) -> dict[str, int]:
    """How many turns there are of each standing, over all turns of the person."""
    groups = session.exec(
        select(TurnRow.agreement, TurnRow.llm_status, func.count())
        .where(TurnRow.user_id == user_id)
        .group_by(col(TurnRow.agreement), col(TurnRow.llm_status))
    )
    counts = dict.fromkeys(("all", "disagree", "agree", "differ", "silent", "broken", "alone"), 0)
    for agreement, status, number in groups:
        counts["all"] += number
        counts["disagree"] += number if agreement not in (None, "agree", "both_silent") else 0
        counts[standing_of_turn(agreement, status)] += number
    return counts


def find_history(
    session: Session, user_id: str, query: TurnQuery, *, limit: int, offset: int
) -> tuple[StoredTurn, ...]:
    """One page, whole: a card shows the tasks that the deciders saw."""
    ids = select(TurnRow.id).where(*conditions(user_id, query)).order_by(*order_of(query)).limit(limit).offset(offset)
    wanted = list(session.exec(ids))  # first the ids alone: sorting must not carry the contexts along
    rows = {row.id: row for row in session.exec(select(TurnRow).where(col(TurnRow.id).in_(wanted)))}
    return tuple(snapshot(rows[turn_id]) for turn_id in wanted)


def find_history_ids(session: Session, user_id: str, query: TurnQuery) -> tuple[str, ...]:
    return tuple(session.exec(select(TurnRow.id).where(*conditions(user_id, query)).order_by(*order_of(query))))


def batches(ids: tuple[str, ...], size: int = _BATCH) -> Iterator[tuple[str, ...]]:
    """For work over many turns: so few at a time that none of it weighs much."""
    for start in range(0, len(ids), size):
        yield ids[start : start + size]


def _columns() -> tuple[Any, ...]:
    return col(TurnRow.created_at), col(TurnRow.position), col(TurnRow.id)


def _place() -> ColumnElement[Any]:
    return tuple_(*_columns())


def _place_of(turn: StoredTurn) -> ColumnElement[Any]:
    values = (turn.created_at, turn.position, turn.id)
    return tuple_(*(literal(value, column.type) for value, column in zip(values, _columns(), strict=True)))


def find_next_id(session: Session, user_id: str, query: TurnQuery, turn: StoredTurn, *, newer: bool) -> str | None:
    """The turn of the query next to this one, which itself need not be of it; None at the end of the list."""
    beyond = _place() > _place_of(turn) if newer else _place() < _place_of(turn)
    way = [column.asc() if newer else column.desc() for column in _columns()]
    return session.exec(select(TurnRow.id).where(*conditions(user_id, query), beyond).order_by(*way).limit(1)).first()
