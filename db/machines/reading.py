"""A user's machines as plain values, read in bulk: three queries, whatever their number."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from db.machines.models import CommandRow, MachineRow, MetricRow
from domains.machines.values import Machine, MachineCommand, MachineMetric, ValueRange


def read_machines(session: Session, user_id: str) -> tuple[Machine, ...]:
    """In the order of their names."""
    own = MachineRow.user_id == user_id
    columns = ("id", "name", "serial", "place", "description", "connected")
    rows = sorted(_rows(session, MachineRow, columns, own), key=lambda row: (row.name.casefold(), row.id))
    mine = select(MachineRow.id).where(own).scalar_subquery()  # type: ignore[call-overload]
    commands = _commands_by_machine(session, mine)
    metrics = _metrics_by_machine(session, mine)
    return tuple(
        Machine(
            row.id,
            row.name,
            row.serial,
            row.place,
            row.description,
            row.connected,
            tuple(commands[row.id]),
            tuple(metrics[row.id]),
        )
        for row in rows
    )


def _metrics_by_machine(session: Session, mine: Any) -> defaultdict[str, list[MachineMetric]]:
    found: defaultdict[str, list[MachineMetric]] = defaultdict(list)
    for machine_id, name, unit in _rows(
        session, MetricRow, ("machine_id", "name", "unit"), col(MetricRow.machine_id).in_(mine), "position"
    ):
        found[machine_id].append(MachineMetric(name, unit))
    return found


def _commands_by_machine(session: Session, mine: Any) -> defaultdict[str, list[MachineCommand]]:
    found: defaultdict[str, list[MachineCommand]] = defaultdict(list)
    columns = ("machine_id", "id", "name", "description", "unit", "minimum", "maximum")
    rows = _rows(session, CommandRow, columns, col(CommandRow.machine_id).in_(mine), "position")
    for machine_id, command_id, name, description, unit, low, high in rows:
        value = ValueRange(unit, low, high) if unit is not None else None
        found[machine_id].append(MachineCommand(command_id, name, description, value))
    return found


def _rows(session: Session, table: Any, names: tuple[str, ...], condition: Any, order: str = "") -> Any:
    """Columns rather than objects, which would take several times as long."""
    asked = select(*(getattr(table, name) for name in names)).where(condition)
    return session.connection().execute(asked.order_by(getattr(table, order)) if order else asked).all()
