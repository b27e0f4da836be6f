"""A machine's row as a plain image, and its snapshot for whoever is outside of the room."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, select

from db.machines.models import MachineRow
from db.machines.simulation import advance, anchor_levels
from db.tasks.images import Image
from db.tasks.service import Clock

_KEPT = ("id", "user_id", "name", "serial", "place", "description", "firmware", "connected", "state")


@dataclass(frozen=True, slots=True)
class MachineSnapshot:
    """A machine with its state, as it was at one moment."""

    id: str
    name: str
    serial: str
    place: str
    description: str
    firmware: str
    connected: bool
    state: dict[str, str]


def make_snapshot(row: MachineRow) -> MachineSnapshot:
    values: dict[str, Any] = {name: getattr(row, name) for name in _KEPT if name not in ("user_id", "state")}
    return MachineSnapshot(**values, state=dict(row.state))


def make_machine_image(row: MachineRow) -> Image:
    return {**{name: getattr(row, name) for name in _KEPT}, "state": dict(row.state)}


def find_machine_image(session: Session, user_id: str, machine_id: str) -> Image | None:
    row = session.exec(select(MachineRow).where(MachineRow.id == machine_id, MachineRow.user_id == user_id)).first()
    return make_machine_image(row) if row else None


def put_state(session: Session, row: MachineRow, state: dict[str, str], now: datetime) -> None:
    """Give the machine another state. What it measures goes on from where it is at this moment."""
    advance(session, [row.id], now)  # while the old state still says what there was to measure
    anchor_levels(session, row.id, row.state, int(now.timestamp()))
    row.state = dict(state)  # a new object: SQLAlchemy does not see changes inside the old one
    session.flush()


def apply_machine_image(session: Session, machine_id: str, image: Image | None, clock: Clock) -> None:
    """Put the state of the image back; commands change nothing else."""
    row = session.get(MachineRow, machine_id)
    if row is not None and image is not None:
        put_state(session, row, image["state"], clock())
