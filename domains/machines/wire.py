"""Spec 5's payload as JSON: the message, the call, the machines in reach and the conversation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from domains.catalogues import find_domain_of
from domains.loading import load_domain
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.values import Machine, MachineCommand, MachineMetric, ValueRange
from engine.border.wire import WireError, read_context
from engine.completing.values import Request
from engine.completing.wire import read_function_call, read_learned, read_settings

_ALSO_CALLED = {
    "device_id": "id",
    "device_name": "name",
    "serial_number": "serial",
    "location": "place",
    "is_connected": "connected",
}
"""Names that other systems have for a machine's fields."""


def read_request(data: object, default_now: datetime, fleet: MemoryFleet | None = None, domain: str = "") -> Request:
    """A WireError says what is wrong and where. `fleet` is used where the payload brings no machines of its own,
    `domain` is what the words are about where no tool is called."""
    if not isinstance(data, Mapping):
        raise WireError("the payload must be a JSON object")
    text = data.get("user_message", "")
    if not isinstance(text, str):
        raise WireError("user_message must be a text")
    call = data.get("function_call")
    name, arguments = read_function_call(call)
    language = data.get("lang")
    about = find_domain_of(name or "") or load_domain(domain or None)
    own = about.conduct is not None and language in about.languages  # then the things in reach are not the tasks
    read = ("tasks", "pending", "now") if own else ("tasks", "pending", "now", "lang")
    known = {key: data[key] for key in read if key in data}
    things = load_domain() if about.conduct else about
    context = read_context({**known, "history": data.get("conversation_history") or []}, default_now, things)
    machines = data.get("machine_context", data.get("machines"))
    return Request(
        text=text,
        tool_name=name,
        arguments=arguments,
        fleet=MemoryFleet(read_machines(machines)) if machines is not None else fleet,
        history=context.history,
        tasks=context,
        learned=read_learned(data.get("learned") or []),
        language=language,
        domain=domain,
        settings=read_settings(data.get("settings")),
    )


def find_fleet(request: Request) -> MemoryFleet | None:
    """The machines that a request brings along."""
    return request.fleet if isinstance(request.fleet, MemoryFleet) else None


def read_machines(entries: object) -> tuple[Machine, ...]:
    if not isinstance(entries, list):
        raise WireError("machine_context must be a list of machines")
    machines = tuple(_read_machine(entry, place) for place, entry in enumerate(entries, 1))
    if len({machine.id for machine in machines}) < len(machines):
        raise WireError("machine_context: two machines have the same id")
    return machines


def _read_machine(entry: object, place: int) -> Machine:
    where = f"machine_context[{place}]"
    if not isinstance(entry, Mapping):
        raise WireError(f"{where} must be an object")
    fields = {_ALSO_CALLED.get(str(name), str(name)): value for name, value in entry.items()}
    texts = {name: _text(fields, name, where) for name in ("id", "name", "serial", "place", "description")}
    if not texts["id"] or not texts["name"]:
        raise WireError(f"{where} needs an id and a name")
    return Machine(
        **texts,
        connected=bool(fields.get("connected", True)),
        commands=tuple(_read_command(each, where) for each in _entries(fields, "commands", where)),
        metrics=tuple(_read_metric(each, where) for each in _entries(fields, "metrics", where)),
    )


def _entries(entry: Mapping[str, Any], name: str, where: str) -> list[Any]:
    found = entry.get(name) or []
    if not isinstance(found, list):
        raise WireError(f"{where}.{name} must be a list")
    return found


def _text(entry: Mapping[str, Any], name: str, where: str) -> str:
    value = entry.get(name) or ""
    if not isinstance(value, str):
        raise WireError(f"{where}.{name} must be a text")
    return value


def _read_command(entry: object, where: str) -> MachineCommand:
    if isinstance(entry, str):
        return MachineCommand(entry, entry)
    if not isinstance(entry, Mapping):
        raise WireError(f"{where}.commands must hold objects or names")
    name = _text(entry, "name", f"{where}.commands")
    identity = _text(entry, "id", f"{where}.commands") or name
    if not name:
        raise WireError(f"{where}.commands: a command needs a name")
    value = entry.get("value")
    try:
        limits = ValueRange(str(value["unit"]), float(value["minimum"]), float(value["maximum"])) if value else None
    except (KeyError, TypeError, ValueError):
        raise WireError(f"{where}.commands: value needs unit, minimum and maximum") from None
    return MachineCommand(identity, name, _text(entry, "description", where), limits)


def _read_metric(entry: object, where: str) -> MachineMetric:
    if isinstance(entry, str):
        return MachineMetric(entry)
    if not isinstance(entry, Mapping) or not _text(entry, "name", f"{where}.metrics"):
        raise WireError(f"{where}.metrics must hold names, or objects with a name")
    return MachineMetric(str(entry["name"]), _text(entry, "unit", f"{where}.metrics"))
