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
from typing import Any

from sqlalchemy import insert, update
from sqlmodel import Session, col, delete, select

from db.connection import Database
from db.machines.models import CommandRow, MachineRow, MetricRow, ReadingRow
from db.machines.physics import LevelAt, measure, settle
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
    for machine in machines:
        _add_machine(session, user, machine, now)
    touch_fleet(session, user.id)
    return len(machines)


def touch_fleet(session: Session, user_id: str) -> None:
    """What the machines are has changed: fleets in memory are out of date."""
    counted = update(UserRow).where(col(UserRow.id) == user_id)
    counted = counted.values(fleet_revision=UserRow.fleet_revision + 1, machines_revision=UserRow.machines_revision + 1)
    session.connection().execute(counted)


def _add_machine(session: Session, user: User, machine: Mapping[str, Any], now: datetime) -> None:
    kind = load_demo_machines()["kinds"][machine["kind"]]
    row = MachineRow(
        id=str(uuid.uuid5(uuid.UUID(user.id), machine["key"])),
        user_id=user.id,
        name=machine["name"],
        name_key=fold(machine["name"]),
        serial=machine["serial"],
        serial_key=serial_key(machine["serial"]),
        place=machine["place"],
        place_key=fold(machine["place"]),
        description=machine["description"],
        firmware=kind["firmware"],
        connected=machine.get("connected", True),
        state={**kind["state"], **machine.get("state", {})},
        demo_key=machine["key"],
        created_at=now.astimezone(UTC),
    )
    session.add(row)
    session.flush()
    for position, command in enumerate(kind["commands"]):
        unit, low, high = command.get("value", (None, None, None))
        session.add(
            CommandRow(
                id=str(uuid.uuid5(uuid.UUID(row.id), command["name"])),
                machine_id=row.id,
                position=position,
                name=command["name"],
                description=command["description"],
                effect=command["effect"],
                unit=unit,
                minimum=low,
                maximum=high,
            )
        )
    for position, (name, unit) in enumerate(kind["metrics"]):
        _add_metric(session, row, name, unit, position, now)
    session.flush()


def _add_metric(session: Session, row: MachineRow, name: str, unit: str, position: int, now: datetime) -> None:
    """A metric that has long settled, with its readings; a machine that is not connected fell silent a day ago."""
    end = int(now.timestamp()) // STEP_SECONDS * STEP_SECONDS
    long_ago = LevelAt(_START[name], end - 10 * HISTORY_SECONDS)
    level = LevelAt(settle(name, long_ago, row.state, end - HISTORY_SECONDS), end - HISTORY_SECONDS)
    session.add(
        MetricRow(machine_id=row.id, name=name, position=position, unit=unit, level=level.value, level_at=level.at)
    )
    session.flush()
    last = end if row.connected else end - 86_400
    times = [*range(-(-level.at // 3600) * 3600, last - _FINE_SECONDS, 3600)]
    times += range(last - _FINE_SECONDS, last + 1, STEP_SECONDS)
    readings = [
        {"machine_id": row.id, "metric": name, "at": at, "value": measure(row.id, name, level, row.state, at)}
        for at in times
    ]
    session.connection().execute(insert(ReadingRow), readings)
