"""Calls to complete and what became of them as JSON, whatever the domain."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from engine.border.wire import WireError, write_call
from engine.completing.values import ComposedCall, ComposerSettings, Composition
from engine.decision import Learned


def read_function_call(call: object) -> tuple[str | None, dict[str, Any]]:
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


def read_learned(entries: object) -> tuple[Learned, ...]:
    if not isinstance(entries, list):
        raise WireError("learned must be a list")
    try:
        return tuple(Learned(str(each["key"]), str(each["machine_id"]), int(each["times"])) for each in entries)
    except (KeyError, TypeError, ValueError):
        raise WireError("learned: each entry needs key, machine_id and times") from None


def read_settings(data: object) -> ComposerSettings:
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
