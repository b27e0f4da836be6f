"""What a turn of the Machines page is made of while it runs. What remains of it is in the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from db.machine_turns import MachineTurn
from engine.border.composition_record import read_composition_record, read_suggestion, write_composition_record
from engine.completing.values import Composition, Suggestion
from engine.conduct import Ran


@dataclass(frozen=True, slots=True)
class Asked:
    """What the composer was asked: the words, and what is known already."""

    text: str
    tool_name: str | None = None
    arguments: Mapping[str, object] = field(default_factory=dict)
    """Without a tool: at most the device that the user has chosen."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The question that the last turn left open."""

    asked: Asked
    composition: Composition


@dataclass(frozen=True, slots=True)
class Composed:
    """What the composer made of a message, and what the user chose on the way there."""

    asked: Asked
    composition: Composition
    learned: tuple[str, str] | None = None
    """Under which key which machine was chosen."""
    cancelled: bool = False


def read_waiting(turn: MachineTurn | None) -> Waiting | None:
    """The turn's question, if it asked one."""
    if turn is None or turn.composition["status"] != "needs_clarification":
        return None
    return Waiting(read_asked(turn), read_composition(turn))


def read_asked(turn: MachineTurn) -> Asked:
    asked: Mapping[str, Any] = turn.composition["asked"]
    return Asked(asked["text"], asked["tool_name"], asked["arguments"])


def read_composition(turn: MachineTurn) -> Composition:
    return read_composition_record(turn.composition)


def read_next_actions(turn: MachineTurn) -> tuple[Suggestion, ...]:
    return tuple(read_suggestion(each) for each in turn.next_actions)


def record_composed(composed: Composed) -> dict[str, Any]:
    asked = composed.asked
    return {
        **write_composition_record(composed.composition),
        "asked": {"text": asked.text, "tool_name": asked.tool_name, "arguments": dict(asked.arguments)},
        "cancelled": composed.cancelled,
    }


def record_ran(ran: Ran) -> dict[str, Any]:
    """Which call, what came of it, and where its change can be undone."""
    payload: Mapping[str, Any] = ran.result.payload
    changed = bool(payload.get("changed")) and ran.result.ok
    return {
        "tool_name": ran.call.tool_name,
        "parameters": ran.call.parameters,
        "payload": dict(payload),
        "error": str(ran.result.error) if ran.result.error else None,
        "audit_id": ran.result.audit_id if changed else None,
    }
