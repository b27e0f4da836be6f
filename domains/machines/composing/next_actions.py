"""What people often do next: after a reading or a command, as far as the machine can."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domains.machines.composing.phrasing import label_command, label_on, label_reading
from domains.machines.memory_fleet import find_command
from domains.machines.rules import load_rules
from domains.machines.values import Machine
from engine.completing.values import Suggestion
from engine.completing.worth import factor
from engine.decision import Language
from engine.values import ToolCall

_READING = "metrics_read"


def suggest_next(
    call: ToolCall, payload: Mapping[str, Any], machine: Machine, language: Language
) -> tuple[Suggestion, ...]:
    """Only after a call that worked, and only commands that this machine has. Nothing of it runs by itself."""
    if payload.get("status") != "success":
        return ()
    table = load_rules()["next_actions"].get(call.tool_name, {})
    wanted = [name for done in _done(call, machine) for name in table.get(done, ())]
    suggestions = []
    for name in dict.fromkeys(wanted):
        if name == _READING and machine.metrics:
            metric = machine.metrics[0].name
            label = label_on(machine.name, label_reading(metric, language), language)
            value: dict[str, object] = {"device_id": machine.id, "metrics": [metric]}
            suggestions.append(Suggestion(label, value, factor("guessed"), _READING))
            continue
        command = find_command(machine, name)
        if command:
            label = label_on(machine.name, label_command(command, language), language)
            value = {"device_id": machine.id, "machine_command_id": command.id}
            suggestions.append(Suggestion(label, value, factor("guessed"), "machine_command_execute"))
    return tuple(suggestions)


def _done(call: ToolCall, machine: Machine) -> list[str]:
    parameters = call.parameters
    if call.tool_name == "machine_command_execute":
        command = find_command(machine, str(parameters.get("machine_command_id") or parameters.get("command_name")))
        return [command.name] if command else []
    if call.tool_name == _READING:
        asked = parameters.get("metrics")
        metrics = asked if isinstance(asked, list) else []
        return [str(metric) for metric in metrics] or [metric.name for metric in machine.metrics[:1]]
    return ["any"]
