"""Spec 5's payload as JSON: the message, the call, the machines in reach and the conversation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from domains.catalogues import find_domain_of
from domains.loading import load_domain
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.values import Machine
from engine.border.json_form import from_json
from engine.border.plain import WireError
from engine.border.wire import read_context
from engine.completing.values import DEFAULT_SETTINGS, ComposerSettings, Request
from engine.decision import Learned

_ALSO_CALLED = {
    "device_id": "id",
    "device_name": "name",
    "serial_number": "serial",
    "location": "place",
    "is_connected": "connected",
}
"""Names that other systems have for a machine's fields."""


@dataclass(frozen=True, slots=True)
class _FunctionCall:
    name: str
    arguments: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Payload:
    """What of the payload is neither machines nor as in a line of the batch interface."""

    user_message: str = ""
    function_call: _FunctionCall | None = None
    learned: tuple[Learned, ...] = ()
    settings: ComposerSettings = DEFAULT_SETTINGS


def read_request(data: object, default_now: datetime, fleet: MemoryFleet | None = None, domain: str = "") -> Request:
    """A WireError says what is wrong and where. `fleet` is used where the payload brings no machines of its own,
    `domain` is what the words are about where no tool is called."""
    if not isinstance(data, Mapping):
        raise WireError("the payload must be a JSON object")
    call, learned = _with_parsed_arguments(data.get("function_call")), _with_targets(data.get("learned"))
    payload = from_json(_Payload, {**data, "function_call": call, "learned": learned})
    language = data.get("lang")
    name = payload.function_call.name if payload.function_call else ""
    about = find_domain_of(name) or load_domain(domain or None)
    own = about.conduct is not None and language in about.languages  # then the things in reach are not the tasks
    read = ("tasks", "pending", "now") if own else ("tasks", "pending", "now", "lang")
    known = {key: data[key] for key in read if key in data}
    things = load_domain() if about.conduct else about
    context = read_context({**known, "history": data.get("conversation_history") or []}, default_now, things)
    machines = data.get("machine_context", data.get("machines"))
    return Request(
        text=payload.user_message,
        tool_name=payload.function_call.name if payload.function_call else None,
        arguments=payload.function_call.arguments if payload.function_call else {},
        fleet=MemoryFleet(read_machines(machines)) if machines is not None else fleet,
        history=context.history,
        tasks=context,
        learned=payload.learned,
        language=language,
        domain=domain,
        settings=payload.settings,
    )


def find_fleet(request: Request) -> MemoryFleet | None:
    """The machines that a request brings along."""
    return request.fleet if isinstance(request.fleet, MemoryFleet) else None


def read_machines(entries: object) -> tuple[Machine, ...]:
    where = "machine_context"
    plain = [_with_our_names(each) for each in entries] if isinstance(entries, list) else entries
    machines = from_json(tuple[Machine, ...], plain, where)
    for place, machine in enumerate(machines, 1):
        names = [machine.id, machine.name]
        if not all(names + [each.name for each in machine.commands] + [each.name for each in machine.metrics]):
            raise WireError("needs an id and a name, and so do its commands and metrics", f"{where}[{place}]")
    if len({machine.id for machine in machines}) < len(machines):
        raise WireError(f"{where}: two machines have the same id")
    return machines


def _with_parsed_arguments(call: Any) -> Any:
    """As a chat completion has them, the arguments are a text with JSON in it."""
    if not isinstance(call, Mapping) or not isinstance(call.get("arguments"), str):
        return call
    try:
        return {**call, "arguments": json.loads(call["arguments"] or "{}")}
    except (ValueError, RecursionError):
        raise WireError("is a text, but not JSON", "function_call.arguments") from None


def _with_targets(learned: Any) -> Any:
    """What was learned about machines names the target so."""
    if not isinstance(learned, list):
        return learned
    return [{"target_id": each.get("machine_id"), **each} if isinstance(each, Mapping) else each for each in learned]


def _with_our_names(entry: Any) -> Any:
    """A machine's fields by our names, and commands and metrics that are only a name as objects."""
    if not isinstance(entry, Mapping):
        return entry
    named = {_ALSO_CALLED.get(name, name): value for name, value in entry.items()}
    for part in ("commands", "metrics"):
        if isinstance(named.get(part), list):
            named[part] = [_spelt_out(each) for each in named[part]]
    return named


def _spelt_out(entry: Any) -> Any:
    if isinstance(entry, str):
        return {"id": entry, "name": entry}
    return {**entry, "id": entry.get("id") or entry.get("name")} if isinstance(entry, Mapping) else entry
