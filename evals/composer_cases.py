"""The composer's cases: an incomplete call with what exists, and what must come of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from domains.machines.wire import read_request
from engine.completing.values import Composition, Request
from evals.cases import CASES_FOLDER
from evals.known_failures import FILE_NAME, load_causes
from evals.yaml_lines import CaseFileError, load_yaml

FOLDER = CASES_FOLDER / "composer"
_NOW = "2026-03-04T10:00:00"
_DEFAULTS: Mapping[str, object] = {"filter": "all"}
"""Said or not, it is the same call."""
_EXPECTED = frozenset({"status", "why", "calls", "offers", "more", "asks", "known", "says"})

PlainCall = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class ComposerCase:
    id: str
    """Its file and name."""
    request: Request
    statuses: tuple[str, ...]
    """Any of these is right."""
    why: tuple[str, ...] = ()
    """Any of these reasons is right, where the call is not completed."""
    calls: tuple[PlainCall, ...] = ()
    """What is completed: these calls and no others; beside a question, what is settled already."""
    offers: tuple[PlainCall, ...] = ()
    """What a question offers: these calls and no others."""
    more: int = 0
    """How many further ways there are beyond those on offer."""
    asks: str = ""
    """The argument that an answer in words supplies."""
    known: Mapping[str, Any] = field(default_factory=dict)
    """What of the call is known when that is asked."""
    says: tuple[str, ...] = ()
    """What the sentence to the user must name: the machine, the range, the two that contradict each other."""


def load_composer_cases(folder: Path = FOLDER) -> tuple[ComposerCase, ...]:
    return tuple(case for path in sorted(folder.glob("*/*.yaml")) for case in _read(path))


def load_known_failures(folder: Path = FOLDER) -> dict[str, str]:
    return load_causes(folder / FILE_NAME)


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
        if unknown := set(expected) - _EXPECTED:
            raise CaseFileError(path, entry.line, f"unknown key {sorted(unknown)[0]!r} in expect")
        yield ComposerCase(
            id=f"{path.parent.name}/{path.stem}: {entry['name']}",
            request=read_request(payload, datetime.fromisoformat(_NOW)),
            statuses=_several(expected["status"]),
            why=_several(expected.get("why", [])),
            calls=_calls(expected.get("calls", [])),
            offers=_calls(expected.get("offers", [])),
            more=int(expected.get("more", 0)),
            asks=expected.get("asks", ""),
            known=expected.get("known", {}),
            says=_several(expected.get("says", [])),
        )


def _several(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),)


def _calls(entries: Iterable[Mapping[str, Any]]) -> tuple[PlainCall, ...]:
    return tuple((entry["tool"], dict(entry.get("arguments", {}))) for entry in entries)


def find_fault(case: ComposerCase, composed: Composition) -> str:
    """What is wrong with the answer; empty if nothing is."""
    if composed.status not in case.statuses:
        return f"{composed.status} ({composed.why}), not {' or '.join(case.statuses)}: {composed.message}"
    if composed.status != "completed" and str(composed.why) not in case.why:
        return f"{composed.status} because of {composed.why}, not {' or '.join(case.why)}: {composed.message}"
    made: list[PlainCall] = [(each.call.tool_name, each.call.parameters) for each in composed.calls]
    offered: list[PlainCall] = [(each.tool_name, each.value) for each in composed.suggestions]
    if composed.status == "needs_clarification":
        return _fault_of_question(case, composed, made, offered)
    wanted = case.calls if composed.status == "completed" else ()
    if plain_calls(made) != plain_calls(wanted):
        return f"made {made}, not {list(wanted)}"
    if offered:
        return f"offered {offered}, and nothing is to be asked"
    return _fault_of_sentence(case, composed) if composed.status == "failed" else ""


def _fault_of_question(
    case: ComposerCase, composed: Composition, made: list[PlainCall], offered: list[PlainCall]
) -> str:
    # Where completing would be right too, the one call is what has to be on offer.
    settled = () if "completed" in case.statuses else case.calls
    if plain_calls(made) != plain_calls(settled):
        return f"settled {made}, not {list(settled)}"
    if plain_calls(offered) != plain_calls(case.offers) or composed.more != case.more:
        return f"offered {offered} and {composed.more} more, not {list(case.offers)} and {case.more} more"
    if not offered and (composed.asked_for != case.asks or _plain_one(composed.partial) != _plain_one(case.known)):
        asked = f"{composed.asked_for or 'nothing'} with {dict(composed.partial)}"
        return f"asked for {asked}, not {case.asks or 'nothing'} with {dict(case.known)}"
    return _fault_of_sentence(case, composed)


def _fault_of_sentence(case: ComposerCase, composed: Composition) -> str:
    unsaid = [each for each in case.says if each not in composed.message]
    return f"says {composed.message!r}, and not {unsaid}" if unsaid else ""


def plain_calls(calls: Iterable[PlainCall]) -> list[str]:
    """In any order, without defaults, and with numbers as they are compared."""
    return sorted(repr((tool, _plain_one(arguments))) for tool, arguments in calls)


def _plain_one(arguments: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in arguments.items() if _DEFAULTS.get(name) != value}
    return dict(
        sorted(
            (name, float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value)
            for name, value in kept.items()
        )
    )
