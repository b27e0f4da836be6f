"""Spec 5's payload as JSON, in and out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from domains.loading import load_domain  # lead: generic soon
from engine.border.wire import WireError, read_context, write_call
from engine.composer.values import ComposedCall, ComposerSettings, Composition, Learned, Request
from engine.fleet.machines import Machine, MachineCommand, MachineMetric, ValueRange
from engine.fleet.memory_fleet import MemoryFleet

_ALSO_CALLED = {
    "device_id": "id",
    "device_name": "name",
    "serial_number": "serial",
    "location": "place",
    "is_connected": "connected",
}
"""Names that other systems have for a machine's fields."""


def read_request(data: object, default_now: datetime, fleet: MemoryFleet | None = None) -> Request:
    """A WireError says what is wrong and where. `fleet` is used where the payload brings no machines of its own."""
    if not isinstance(data, Mapping):
        raise WireError("the payload must be a JSON object")
    text = data.get("user_message", "")
    if not isinstance(text, str):
        raise WireError("user_message must be a text")
    call = data.get("function_call")
    name, arguments = _read_call(call)
    language = data.get("lang")
    if language is not None and language not in load_domain().languages:
        raise WireError(f"lang must be one of: {', '.join(load_domain().languages)}")
    known = {key: data[key] for key in ("tasks", "pending", "now", "lang") if key in data}
    context = read_context({**known, "history": data.get("conversation_history") or []}, default_now)
    machines = data.get("machine_context", data.get("machines"))
    return Request(
        text=text,
        tool_name=name,
        arguments=arguments,
        fleet=MemoryFleet(read_machines(machines)) if machines is not None else fleet,
        history=context.history,
        tasks=context,
        learned=_read_learned(data.get("learned") or []),
        language=language,
        settings=_read_settings(data.get("settings")),
    )


def _read_call(call: object) -> tuple[str | None, dict[str, Any]]:
    if call is None:
        return None, {}
    if not isinstance(call, Mapping) or not isinstance(call.get("name"), str):
        raise WireError("function_call must be an object with a name")
    arguments = call.get("arguments") or {}
    if isinstance(arguments, str):  # as a chat completion has them
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            raise WireError("function_call.arguments is a text, but not JSON") from None
    if not isinstance(arguments, Mapping):
        raise WireError("function_call.arguments must be an object")
    return call["name"], dict(arguments)


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


def _read_learned(entries: object) -> tuple[Learned, ...]:
    if not isinstance(entries, list):
        raise WireError("learned must be a list")
    try:
        return tuple(Learned(str(each["key"]), str(each["machine_id"]), int(each["times"])) for each in entries)
    except (KeyError, TypeError, ValueError):
        raise WireError("learned: each entry needs key, machine_id and times") from None


def _read_settings(data: object) -> ComposerSettings:
    if data is None:
        return ComposerSettings()
    if not isinstance(data, Mapping):
        raise WireError("settings must be an object")
    try:
        return ComposerSettings(
            enabled=bool(data.get("enabled", True)),
            threshold=float(data.get("threshold", 0.9)),
            max_suggestions=int(data.get("max_suggestions", 5)),
        )
    except (TypeError, ValueError):
        raise WireError("settings: threshold and max_suggestions must be numbers") from None


def write_composition(composition: Composition) -> dict[str, Any]:
    """Spec 5's result; `composed_input` is the first call's arguments, `calls` has all of them with provenance."""
    written: dict[str, Any] = {"status": composition.status, "reason": str(composition.why)}
    written["message"] = composition.message
    if composition.status == "completed" and composition.calls:
        written["composed_input"] = composition.calls[0].call.parameters
    if composition.calls:
        written["calls"] = [_write_call(call) for call in composition.calls]
    if composition.suggestions:
        written["suggestions"] = [
            {
                "label": each.label,
                "tool_name": each.tool_name,
                "value": dict(each.value),
                "confidence": each.confidence,
            }
            for each in composition.suggestions
        ]
        written["more"] = composition.more
    written["confidence"] = composition.confidence
    written["ledger"] = [
        {"name": each.name, "amount": each.amount, "detail": each.detail} for each in composition.ledger
    ]
    written["hints"] = [
        {"kind": each.kind, "meaning": each.meaning, "span": [each.span.start, each.span.end]}
        for each in composition.hints
    ]
    written["candidates"] = [each._asdict() for each in composition.candidates]
    written["steps"] = [each._asdict() for each in composition.steps]
    written["choice_key"] = composition.choice_key
    written["lang"] = composition.language
    return written


def _write_call(composed: ComposedCall) -> dict[str, Any]:
    return {
        **write_call(composed.call),
        "before": dict(composed.before),
        "added": composed.added,
        "confidence": composed.confidence,
    }
