"""The composer's cases: an incomplete call with what exists, and what must come of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from domains.machines.wire import read_request
from engine.completing.values import Composition, Request
from evals.cases import CASES_FOLDER
from evals.yaml_lines import load_yaml

FOLDER = CASES_FOLDER / "composer"
_NOW = "2026-03-04T10:00:00"
_DEFAULTS: Mapping[str, object] = {"filter": "all"}
"""Said or not, it is the same call."""


@dataclass(frozen=True, slots=True)
class ComposerCase:
    id: str
    """Its file and name."""
    request: Request
    statuses: tuple[str, ...]
    """Any of these is right."""
    calls: tuple[tuple[str, dict[str, Any]], ...] | None = None
    options: frozenset[str] | None = None
    """The ids that must be on offer, all of them and no others."""


def load_composer_cases(folder: Path = FOLDER) -> tuple[ComposerCase, ...]:
    return tuple(case for path in sorted(folder.glob("*/*.yaml")) for case in _read(path))


def load_known_failures(folder: Path = FOLDER) -> dict[str, str]:
    return {str(key): str(why) for key, why in load_yaml(folder / "known_failures.yaml").items()}


def _read(path: Path) -> Iterator[ComposerCase]:
    data = load_yaml(path)
    fleets = data.get("fleets", {})
    for entry in data["cases"]:
        payload: dict[str, Any] = {"user_message": entry["text"], "now": entry.get("now", _NOW), "lang": path.stem}
        if "tool" in entry:
            payload["function_call"] = {"name": entry["tool"], "arguments": entry.get("arguments", {})}
        payload["conversation_history"] = entry.get("history", [])
        payload["machine_context"] = fleets[entry["fleet"]] if "fleet" in entry else None
        payload["tasks"] = entry.get("tasks", [])
        expected = entry["expect"]
        statuses = expected["status"] if isinstance(expected["status"], list) else [expected["status"]]
        calls = expected.get("calls")
        yield ComposerCase(
            id=f"{path.parent.name}/{path.stem}: {entry['name']}",
            request=read_request(payload, datetime.fromisoformat(_NOW)),
            statuses=tuple(statuses),
            calls=tuple((call["tool"], dict(call.get("arguments", {}))) for call in calls) if calls else None,
            options=frozenset(expected["options"]) if "options" in expected else None,
        )


def find_fault(case: ComposerCase, composed: Composition) -> str:
    """What is wrong with the answer; empty if nothing is."""
    if composed.status not in case.statuses:
        return f"{composed.status} ({composed.why}), not {' or '.join(case.statuses)}: {composed.message}"
    if composed.status == "completed" and case.calls is not None:
        made = [(each.call.tool_name, _plain(each.call.parameters)) for each in composed.calls]
        wanted = [(tool, _plain(arguments)) for tool, arguments in case.calls]
        if sorted(map(repr, made)) != sorted(map(repr, wanted)):
            return f"made {made}, not {wanted}"
    if composed.status == "needs_clarification" and case.options is not None:
        offered = {str(value) for each in composed.suggestions for value in _choice(each.value)}
        if not case.options <= offered or len(composed.suggestions) != len(case.options):
            return f"offered {[dict(each.value) for each in composed.suggestions]}, not {sorted(case.options)}"
    return ""


def _choice(value: Mapping[str, object]) -> list[object]:
    return [value[name] for name in ("device_id", "machine_command_id", "task_identifier") if name in value]


def _plain(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Without defaults, and with numbers and places as they are compared."""
    kept = {name: value for name, value in arguments.items() if _DEFAULTS.get(name) != value}
    return dict(
        sorted(
            (name, float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value)
            for name, value in kept.items()
        )
    )
