"""A whole composition as plain JSON, there and back: the store keeps it with the turn, and pages draw it again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.border.wire import read_call, write_call
from engine.completing.values import ComposedCall, Composition, Hint, MachineCandidate, Suggestion, Why
from engine.decision import Factor, Step
from engine.values import Span


def write_composition_record(composition: Composition) -> dict[str, Any]:
    return {
        "status": composition.status,
        "why": str(composition.why),
        "message": composition.message,
        "calls": [_write_composed(each) for each in composition.calls],
        "suggestions": [write_suggestion(each) for each in composition.suggestions],
        "more": composition.more,
        "confidence": composition.confidence,
        "ledger": [[each.name, each.amount, _write_span(each.span), each.detail] for each in composition.ledger],
        "hints": [[each.kind, each.meaning, _write_span(each.span)] for each in composition.hints],
        "candidates": [list(each) for each in composition.candidates],
        "steps": [list(step) for step in composition.steps],
        "choice_key": composition.choice_key,
        "language": composition.language,
    }


def read_composition_record(data: Mapping[str, Any]) -> Composition:
    return Composition(
        status=data["status"],
        why=Why(data["why"]),
        message=data["message"],
        calls=tuple(_read_composed(each) for each in data["calls"]),
        suggestions=tuple(read_suggestion(each) for each in data["suggestions"]),
        more=data["more"],
        confidence=data["confidence"],
        ledger=tuple(Factor(name, amount, _read_span(span), detail) for name, amount, span, detail in data["ledger"]),
        hints=tuple(Hint(kind, meaning, Span(*span)) for kind, meaning, span in data["hints"]),
        candidates=tuple(MachineCandidate(*each) for each in data["candidates"]),
        steps=tuple(Step(*step) for step in data["steps"]),
        choice_key=data["choice_key"],
        language=data["language"],
    )


def write_suggestion(suggestion: Suggestion) -> dict[str, Any]:
    return {
        "label": suggestion.label,
        "value": dict(suggestion.value),
        "confidence": suggestion.confidence,
        "tool_name": suggestion.tool_name,
    }


def read_suggestion(data: Mapping[str, Any]) -> Suggestion:
    return Suggestion(data["label"], data["value"], data["confidence"], data["tool_name"])


def _write_composed(composed: ComposedCall) -> dict[str, Any]:
    return {
        "call": write_call(composed.call),
        "confidence": composed.confidence,
        "before": dict(composed.before),
        "added": composed.added,
    }


def _read_composed(data: Mapping[str, Any]) -> ComposedCall:
    return ComposedCall(read_call(data["call"]), data["confidence"], data["before"], data["added"])


def _write_span(span: Span | None) -> list[int] | None:
    return [span.start, span.end] if span else None


def _read_span(data: list[int] | None) -> Span | None:
    return Span(*data) if data else None
