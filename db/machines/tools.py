"""The four machine tools, bound to one user's service. mypy holds this class to the signatures of the catalogue."""

from __future__ import annotations

from datetime import UTC, datetime

from db.failures import ToolFailure
from db.machines.models import CommandRow, MachineRow, MetricRow
from db.machines.service import MachineQuery, MachineService, find_command
from db.machines.simulation import MetricReading, advance, keep_reading, read_history, read_now
from db.text import within_reach
from domains.machines.tools import (
    CommandResult,
    DeviceResult,
    MachinesResult,
    MachineTools,
    Measured,
    MetricsResult,
)
from engine.values import ErrorKind

DEFAULT_HOURS = 24


class UserMachineTools:
    def __init__(self, service: MachineService) -> None:
        self._service = service

    def machine_command_execute(
        self,
        device_id: str | None = None,
        device_name: str | None = None,
        machine_command_id: str | None = None,
        command_name: str | None = None,
        value: float | None = None,
    ) -> CommandResult:
        row = self._service.get(device_id, device_name)
        command = find_command(self._service.commands_of(row.id), row.name, machine_command_id, command_name)
        changed = self._service.run(row, command, value)
        return {
            "status": "success",
            "device_id": row.id,
            "device_name": row.name,
            "command": command.name,
            "state": dict(row.state),
            "changed": changed,
        }

    def metrics_read(
        self,
        device_id: str | None = None,
        device_name: str | None = None,
        metrics: list[str] | None = None,
        hours: int = DEFAULT_HOURS,
    ) -> MetricsResult:
        row = self._service.get(device_id, device_name)
        chosen = _choose(row, list(self._service.metrics_of(row.id)), metrics)
        if not row.connected:
            message = f"{row.name} is not connected, so nothing can be read from it."
            raise ToolFailure(ErrorKind.NOT_CONNECTED, message)
        session, now = self._service.session, self._service.clock()
        advance(session, [row.id], now)
        latest = read_now(session, {row.id: row.state}, now)[row.id]
        measured = []
        for metric in chosen:
            reading = latest[metric.name]
            keep_reading(session, row.id, metric.name, reading)
            course = read_history(session, row.id, metric.name, reading.at - hours * 3600)
            measured.append(_measured(metric, reading, [each.value for each in course]))
        return {"status": "success", "device_id": row.id, "device_name": row.name, "metrics": measured}

    def device_detail(self, device_id: str | None = None, device_name: str | None = None) -> DeviceResult:
        row = self._service.get(device_id, device_name)
        commands: list[CommandRow] = list(self._service.commands_of(row.id))
        return {
            "status": "success",
            "device_id": row.id,
            "device_name": row.name,
            "serial": row.serial,
            "place": row.place,
            "description": row.description,
            "connected": row.connected,
            "firmware": row.firmware,
            "state": dict(row.state),
            "commands": [{"id": each.id, "name": each.name, "description": each.description} for each in commands],
            "metrics": [metric.name for metric in self._service.metrics_of(row.id)],
        }

    def machines_list(
        self,
        place: str | None = None,
        connected: bool | None = None,
        state: str | None = None,
        search: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> MachinesResult:
        query = MachineQuery(place, connected, search, limit, within_reach(offset or 0), state)
        found = self._service.find_all(query)
        return {
            "status": "success",
            "count": len(found),
            "total": self._service.count(query),
            "machines": [
                {
                    "id": each.id,
                    "name": each.name,
                    "serial": each.serial,
                    "place": each.place,
                    "connected": each.connected,
                }
                for each in found
            ],
        }


def _choose(row: MachineRow, known: list[MetricRow], wanted: list[str] | None) -> list[MetricRow]:
    if not wanted:
        return known
    by_name = {metric.name: metric for metric in known}
    names = list(dict.fromkeys("_".join(name.lower().split()) for name in wanted))
    unknown = [name for name in names if name not in by_name]
    if unknown:
        there = ", ".join(by_name) or "nothing"
        raise ToolFailure(
            ErrorKind.NOT_FOUND, f"{row.name} does not measure '{unknown[0][:80]}'. It measures: {there}."
        )
    return [by_name[name] for name in names]


def _measured(metric: MetricRow, latest: MetricReading, course: list[float]) -> Measured:
    return {
        "metric": metric.name,
        "unit": metric.unit,
        "value": latest.value,
        "measured_at": datetime.fromtimestamp(latest.at, UTC).isoformat(),
        "minimum": min(course),
        "maximum": max(course),
        "mean": round(sum(course) / len(course), 2),
    }


def _check_signatures(tools: UserMachineTools) -> MachineTools:
    """Never called: mypy refuses this line when the class and the catalogue drift apart."""
    return tools
