"""The demo fleets: believable machines with the readings of the last days.

Seeding replaces the demo machines of a user and no others: it knows them by their demo key. They keep their ids, so
that learned choices and the audit trail still mean them. Machines are set up, not asked for: no tool call is recorded.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import insert, update
from sqlmodel import Session, SQLModel, col, delete, select

from db.connection import Database
from db.machines.models import CommandRow, MachineRow, MetricRow, ReadingRow
from db.machines.physics import LevelAt, MachineState, measure, settle
from db.machines.simulation import STEP_SECONDS
from db.models import UserRow
from db.tasks.service import Clock
from db.text import serial_key
from db.users import User
from engine.text.folding import fold

FIRST_FLEET = "maya"
HISTORY_SECONDS = 3 * 86_400
_FINE_SECONDS = 6 * 3600
"""Readings every five minutes reach back so far; before, one an hour."""
_START = {"temperature": 21.0, "humidity": 60.0, "energy": 120.0, "door": 0.0}
_FILE = Path(__file__).parent / "demo_machines.json"

Row = dict[str, Any]


@cache
def load_demo_machines() -> dict[str, Any]:
    return dict(json.loads(_FILE.read_text(encoding="utf-8")))


def seed_machines(database: Database, user: User, clock: Clock, fleet: str = FIRST_FLEET) -> int:
    """Give any user a demo fleet; returns the number of machines."""
    with database.write() as session:
        return replace_demo_machines(session, user, clock(), fleet)


def replace_demo_machines(session: Session, user: User, now: datetime, fleet: str) -> int:
    machines = load_demo_machines()["fleets"].get(fleet, [])
    stale = select(MachineRow).where(MachineRow.user_id == user.id, col(MachineRow.demo_key).is_not(None))
    ids = [row.id for row in session.exec(stale)]
    # Commands, metrics and readings go with their machine.
    session.connection().execute(delete(MachineRow).where(col(MachineRow.id).in_(ids)))
    session.expire_all()
    _insert(session, [_make_machine(user, machine, now) for machine in machines])
    touch_fleet(session, user.id)
    return len(machines)


def touch_fleet(session: Session, user_id: str) -> None:
    """What the machines are has changed: fleets in memory are out of date."""
    counted = update(UserRow).where(col(UserRow.id) == user_id)
    counted = counted.values(fleet_revision=UserRow.fleet_revision + 1, machines_revision=UserRow.machines_revision + 1)
    session.connection().execute(counted)


class _Machine(NamedTuple):
    """The rows of a machine, of its commands, its metrics and their readings."""

    row: Row
    commands: list[Row]
    metrics: list[Row]
    readings: list[Row]


def _insert(session: Session, machines: list[_Machine]) -> None:
    """All rows of a table at once: one by one they take three times as long, and a new person waits for that."""
    tables: tuple[tuple[type[SQLModel], list[Row]], ...] = (
        (MachineRow, [machine.row for machine in machines]),
        (CommandRow, [row for machine in machines for row in machine.commands]),
        (MetricRow, [row for machine in machines for row in machine.metrics]),
        (ReadingRow, [row for machine in machines for row in machine.readings]),
    )
    for table, rows in tables:
        if rows:
            session.connection().execute(insert(table), rows)


def _make_machine(user: User, machine: Mapping[str, Any], now: datetime) -> _Machine:
    kind = load_demo_machines()["kinds"][machine["kind"]]
    machine_id = str(uuid.uuid5(uuid.UUID(user.id), machine["key"]))
    state = {**kind["state"], **machine.get("state", {})}
    connected = machine.get("connected", True)
    row: Row = {
        "id": machine_id,
        "user_id": user.id,
        "name": machine["name"],
        "name_key": fold(machine["name"]),
        "serial": machine["serial"],
        "serial_key": serial_key(machine["serial"]),
        "place": machine["place"],
        "place_key": fold(machine["place"]),
        "description": machine["description"],
        "firmware": kind["firmware"],
        "connected": connected,
        "state": state,
        "demo_key": machine["key"],
        "created_at": now.astimezone(UTC),
    }
    commands = [_make_command(machine_id, position, each) for position, each in enumerate(kind["commands"])]
    metrics: list[Row] = []
    readings: list[Row] = []
    for position, (name, unit) in enumerate(kind["metrics"]):
        level = _settled(name, state, now)
        metrics.append(
            {
                "machine_id": machine_id,
                "name": name,
                "position": position,
                "unit": unit,
                "level": level.value,
                "level_at": level.at,
            }
        )
        readings += [
            {"machine_id": machine_id, "metric": name, "at": at, "value": measure(machine_id, name, level, state, at)}
            for at in _reading_times(level, now, connected=connected)
        ]
    return _Machine(row, commands, metrics, readings)


def _make_command(machine_id: str, position: int, command: Mapping[str, Any]) -> Row:
    unit, low, high = command.get("value", (None, None, None))
    return {
        "id": str(uuid.uuid5(uuid.UUID(machine_id), command["name"])),
        "machine_id": machine_id,
        "position": position,
        "name": command["name"],
        "description": command["description"],
        "effect": command["effect"],
        "unit": unit,
        "minimum": low,
        "maximum": high,
    }


def _settled(name: str, state: MachineState, now: datetime) -> LevelAt:
    """Where a metric that has long settled stood when its readings begin."""
    end = _last_step(now)
    long_ago = LevelAt(_START[name], end - 10 * HISTORY_SECONDS)
    return LevelAt(settle(name, long_ago, state, end - HISTORY_SECONDS), end - HISTORY_SECONDS)


def _reading_times(level: LevelAt, now: datetime, *, connected: bool) -> list[int]:
    """A machine that is not connected fell silent a day ago."""
    last = _last_step(now) if connected else _last_step(now) - 86_400
    hourly = range(-(-level.at // 3600) * 3600, last - _FINE_SECONDS, 3600)
    return [*hourly, *range(last - _FINE_SECONDS, last + 1, STEP_SECONDS)]


def _last_step(now: datetime) -> int:
    return int(now.timestamp()) // STEP_SECONDS * STEP_SECONDS
