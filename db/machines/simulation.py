"""The simulated fleet in the store: what machines measured, written as time goes on and thinned as it passes.

Readings stand on a grid of five minutes. They are written when somebody looks, as many as are missing, up to a
bounded number: after a long pause the grid is wider. `db.machines.physics` says what each of them is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import insert
from sqlmodel import Session, col, delete, func, select

from db.machines.models import MachineRow, MetricRow, ReadingRow
from db.machines.physics import LevelAt, measure, settle

STEP_SECONDS = 300
MOST_NEW = 288
"""Readings of one metric that one look may write: a day's."""
FINE_SECONDS = 2 * 86_400
"""Older readings are thinned to one an hour …"""
KEPT_SECONDS = 30 * 86_400
"""… and gone after this."""
_STEPS = (STEP_SECONDS, 900, 3600, 3 * 3600)
"""The last is wide enough for all the time that readings are kept."""
LOOK_SECONDS = 10
"""The sensors give a value every ten seconds: two looks at the same moment see the same."""


class MetricReading(NamedTuple):
    at: int
    value: float


def moment_of(now: datetime) -> int:
    """The moment of the sensors' latest value."""
    return int(now.timestamp()) // LOOK_SECONDS * LOOK_SECONDS


def advance(session: Session, machine_ids: Sequence[str], now: datetime) -> int:
    """Write what is missing of these machines' readings up to now; returns how many were written."""
    end = int(now.timestamp()) // STEP_SECONDS * STEP_SECONDS
    rows = session.exec(
        select(MetricRow, MachineRow)
        .join(MachineRow, col(MachineRow.id) == col(MetricRow.machine_id))
        .where(col(MetricRow.machine_id).in_(machine_ids), col(MachineRow.connected).is_(True))
    ).all()
    last = _latest(session, machine_ids)
    new = []
    for metric, machine in rows:
        since = max(last.get((machine.id, metric.name), metric.level_at), end - KEPT_SECONDS)
        for at in _grid(since, end):
            value = measure(machine.id, metric.name, LevelAt(metric.level, metric.level_at), machine.state, at)
            new.append({"machine_id": machine.id, "metric": metric.name, "at": at, "value": value})
    if new:
        session.connection().execute(insert(ReadingRow), new)
        _thin(session, machine_ids, end)
    return len(new)


def is_due(session: Session, machine_ids: Sequence[str], now: datetime) -> bool:
    """Whether `advance` has anything to write: a page asks this, to leave the store alone most of the time."""
    end = int(now.timestamp()) // STEP_SECONDS * STEP_SECONDS
    rows = session.exec(
        select(MetricRow.machine_id, MetricRow.name, MetricRow.level_at)
        .join(MachineRow, col(MachineRow.id) == col(MetricRow.machine_id))
        .where(col(MetricRow.machine_id).in_(machine_ids), col(MachineRow.connected).is_(True))
    ).all()
    last = _latest(session, machine_ids)
    return any(last.get((machine_id, name), level_at) < end for machine_id, name, level_at in rows)


def read_now(
    session: Session, machines: Mapping[str, Mapping[str, str]], now: datetime
) -> dict[str, dict[str, MetricReading]]:
    """machine -> metric -> its value at this moment, for connected machines given with their states."""
    at = moment_of(now)
    found: dict[str, dict[str, MetricReading]] = {machine_id: {} for machine_id in machines}
    rows = select(MetricRow).where(col(MetricRow.machine_id).in_(list(machines))).order_by(col(MetricRow.position))
    for row in session.exec(rows):
        level = LevelAt(row.level, row.level_at)
        value = measure(row.machine_id, row.name, level, machines[row.machine_id], at)
        found[row.machine_id][row.name] = MetricReading(at, value)
    return found


def read_history(session: Session, machine_id: str, metric: str, since: int) -> tuple[MetricReading, ...]:
    wanted = select(ReadingRow.at, ReadingRow.value).where(
        ReadingRow.machine_id == machine_id, ReadingRow.metric == metric, ReadingRow.at >= since
    )
    return tuple(MetricReading(at, value) for at, value in session.exec(wanted.order_by(col(ReadingRow.at))))


def keep_reading(session: Session, machine_id: str, metric: str, reading: MetricReading) -> None:
    """A value that somebody read through a tool is kept, also between the points of the grid."""
    row = session.get(ReadingRow, (machine_id, metric, reading.at))
    if row is None:
        session.add(ReadingRow(machine_id=machine_id, metric=metric, at=reading.at, value=reading.value))
        session.flush()


def anchor_levels(session: Session, machine_id: str, state: Mapping[str, str], at: int) -> None:
    """Before the state changes: let every metric start from where it has come to."""
    for row in session.exec(select(MetricRow).where(MetricRow.machine_id == machine_id)):
        row.level, row.level_at = settle(row.name, LevelAt(row.level, row.level_at), state, at), max(at, row.level_at)
    session.flush()


def _latest(session: Session, machine_ids: Sequence[str]) -> dict[tuple[str, str], int]:
    latest = (
        select(ReadingRow.machine_id, ReadingRow.metric, func.max(ReadingRow.at))
        .where(col(ReadingRow.machine_id).in_(machine_ids))
        .group_by(col(ReadingRow.machine_id), col(ReadingRow.metric))
    )
    return {(machine_id, metric): at for machine_id, metric, at in session.exec(latest)}


def _grid(since: int, end: int) -> range:
    """The points after `since` up to `end`, on a wider grid where there would be too many: the next look fills up."""
    step = next(step for step in _STEPS if (end - since) // step <= MOST_NEW)
    return range((since // step + 1) * step, end + 1, step)


def _thin(session: Session, machine_ids: Sequence[str], now: int) -> None:
    old = delete(ReadingRow).where(col(ReadingRow.machine_id).in_(machine_ids))
    connection = session.connection()  # the session need not look through its objects: it holds no readings
    connection.execute(old.where(col(ReadingRow.at) < now - KEPT_SECONDS))
    connection.execute(old.where(col(ReadingRow.at) < now - FINE_SECONDS, col(ReadingRow.at) % 3600 != 0))
