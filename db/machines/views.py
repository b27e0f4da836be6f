"""What the Machines page shows of the fleet at one moment, read in as many queries for fifty machines as for one."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select

from db.connection import Database
from db.failures import StoreUnavailableError
from db.machines.images import MachineSnapshot
from db.machines.models import MetricRow, ReadingRow
from db.machines.service import MachineQuery, MachineService
from db.machines.simulation import MetricReading, advance, is_due, read_now
from db.tasks.service import Clock
from db.users import User

COURSE_SECONDS = 6 * 3600


@dataclass(frozen=True, slots=True)
class MetricView:
    name: str
    unit: str
    latest: MetricReading | None
    """None: nothing was ever read."""


@dataclass(frozen=True, slots=True)
class MachineView:
    machine: MachineSnapshot
    metrics: tuple[MetricView, ...]
    course: tuple[MetricReading, ...]
    """The first metric over the last hours; for a machine that is not connected, its last hours before."""


@dataclass(frozen=True, slots=True)
class FleetView:
    machines: tuple[MachineView, ...]
    total: int
    """How many fit, those not shown included."""
    connected: int


def read_fleet_view(database: Database, user: User, clock: Clock, query: MachineQuery) -> FleetView:
    """The simulation moves on when somebody looks: what is due is written first, in a transaction of its own."""
    now = clock()
    with database.read() as session:
        shown = MachineService(session, user, clock).find_all(query)
        due = is_due(session, [machine.id for machine in shown], now)
    if due:
        # A store that is busy just now is no reason to show nothing: the next look writes what is missing.
        with contextlib.suppress(StoreUnavailableError), database.write(recording=True) as session:
            advance(session, [machine.id for machine in shown], now)
    with database.read() as session:
        service = MachineService(session, user, clock)
        return FleetView(
            _views(session, shown, now),
            service.count(query),
            service.count(MachineQuery(query.place, True, query.search)),
        )


def _views(session: Session, shown: tuple[MachineSnapshot, ...], now: datetime) -> tuple[MachineView, ...]:
    ids = [machine.id for machine in shown]
    live = read_now(session, {machine.id: machine.state for machine in shown if machine.connected}, now)
    rows = session.exec(
        select(MetricRow).where(col(MetricRow.machine_id).in_(ids)).order_by(col(MetricRow.position))
    ).all()
    courses = _courses(session, {row.machine_id: row.name for row in reversed(rows)})
    views = []
    for machine in shown:
        own = [row for row in rows if row.machine_id == machine.id]
        course = courses.get(machine.id, ())
        latest = live.get(machine.id) or ({own[0].name: course[-1]} if own and course else {})
        metrics = tuple(MetricView(row.name, row.unit, latest.get(row.name)) for row in own)
        views.append(MachineView(machine, metrics, course))
    return tuple(views)


def _courses(session: Session, first: dict[str, str]) -> dict[str, tuple[MetricReading, ...]]:
    """machine -> the last hours of its first metric, oldest first."""
    wanted = col(ReadingRow.machine_id).in_(list(first)), col(ReadingRow.metric).in_(set(first.values()))
    last = select(ReadingRow.machine_id, ReadingRow.metric, func.max(ReadingRow.at).label("at")).where(*wanted)
    latest = last.group_by(col(ReadingRow.machine_id), col(ReadingRow.metric)).subquery()
    rows = (
        select(ReadingRow.machine_id, ReadingRow.metric, ReadingRow.at, ReadingRow.value)
        .join(
            latest,
            (latest.c.machine_id == col(ReadingRow.machine_id)) & (latest.c.metric == col(ReadingRow.metric)),
        )
        .where(*wanted, col(ReadingRow.at) >= latest.c.at - COURSE_SECONDS)
        .order_by(col(ReadingRow.at))
    )
    found: dict[str, list[MetricReading]] = {}
    for machine_id, metric, at, value in session.exec(rows):
        if metric == first[machine_id]:
            found.setdefault(machine_id, []).append(MetricReading(at, value))
    return {machine_id: tuple(course) for machine_id, course in found.items()}
