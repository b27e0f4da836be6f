"""A whole turn as plain JSON: what a decision saw, and the decision with its evidence, there and back.

The store keeps both, so that any past decision can be made again and held to what it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Protocol

from engine.border.wire import read_call, read_pending, write_call, write_choice, write_message, write_pending
from engine.decision import (
    Candidate,
    Context,
    Decision,
    Evidence,
    Factor,
    IntentScore,
    Reason,
    Reference,
    Sentence,
    Slot,
    Step,
    Thresholds,
)
from engine.values import Span


class RecordedIndex(Protocol):
    """What is in reach, and what is to be kept of it with a turn."""

    def record(self) -> dict[str, Any]: ...


def write_context(context: Context, index: RecordedIndex) -> dict[str, Any]:
    """The Context as a line of the batch interface without its text, with what was looked at."""
    return {
        **index.record(),
        "history": [write_message(each) for each in context.history],
        "pending": write_pending(context.pending) if context.pending else None,
        "now": context.now.isoformat(),
        "user": context.user,
        "lang": context.language,
        **({"learned": [each._asdict() for each in context.learned]} if context.learned else {}),
        **({"offered": [write_choice(each) for each in context.offered]} if context.offered else {}),
    }


def write_record(decision: Decision) -> dict[str, Any]:
    return {
        "decider": decision.decider,
        "action": decision.action,
        "intent": decision.intent,
        "reason": str(decision.reason),
        "calls": [write_call(call) for call in decision.calls],
        "call_confidences": list(decision.call_confidences),
        "scores": [_write_score(score) for score in decision.scores],
        "confidence": decision.confidence,
        "ledger": [[each.name, each.amount, _write_span(each.span), each.detail] for each in decision.ledger],
        "references": [_write_reference(each) for each in decision.references],
        "slots": [[each.name, each.value, _write_span(each.span), list(each.alternatives)] for each in decision.slots],
        "message": decision.message,
        "pending": write_pending(decision.pending) if decision.pending else None,
        "steps": [list(step) for step in decision.steps],
        "sentences": [list(sentence) for sentence in decision.sentences],
        "policy_version": decision.policy_version,
        "language": decision.language,
        "thresholds": asdict(decision.thresholds) if decision.thresholds else None,
        "taught": list(decision.taught) if decision.taught else None,
        "act": decision.act,
        "asks": decision.asks,
        "undoes": decision.undoes,
        "elapsed_ms": decision.elapsed_ms,
    }


def read_record(data: Mapping[str, Any]) -> Decision:
    return Decision(
        decider=data["decider"],
        action=data["action"],
        intent=data["intent"],
        reason=Reason(data["reason"]),
        calls=tuple(read_call(call) for call in data["calls"]),
        call_confidences=tuple(data["call_confidences"]),
        scores=tuple(_read_score(score) for score in data["scores"]),
        confidence=data["confidence"],
        ledger=tuple(Factor(name, amount, _read_span(span), detail) for name, amount, span, detail in data["ledger"]),
        references=tuple(_read_reference(each) for each in data["references"]),
        slots=tuple(_read_slot(*each) for each in data["slots"]),
        message=data["message"],
        pending=read_pending(data["pending"]) if data["pending"] else None,
        steps=tuple(Step(*step) for step in data["steps"]),
        sentences=tuple(Sentence(*each) for each in data.get("sentences", ())),
        policy_version=data["policy_version"],
        # Records of versions before this one have neither.
        language=data.get("language", ""),
        thresholds=Thresholds(**data["thresholds"]) if data.get("thresholds") else None,
        taught=tuple(data["taught"]) if data.get("taught") else None,
        act=data.get("act", "request"),
        asks=data.get("asks", ""),
        undoes=data.get("undoes", False),
        elapsed_ms=data["elapsed_ms"],
    )


def _write_score(score: IntentScore) -> list[Any]:
    evidence = [[each.rule, each.weight, _write_span(each.span)] for each in score.evidence]
    return [score.intent, score.score, evidence]


def _read_score(data: list[Any]) -> IntentScore:
    intent, score, evidence = data
    return IntentScore(intent, score, tuple(Evidence(rule, weight, Span(*span)) for rule, weight, span in evidence))


def _write_reference(reference: Reference) -> list[Any]:
    candidates = [list(each) for each in reference.candidates]
    return [reference.mention, _write_span(reference.span), candidates, reference.task_id]


def _read_reference(data: list[Any]) -> Reference:
    mention, span, candidates, task_id = data
    return Reference(mention, _read_span(span), tuple(Candidate(*each) for each in candidates), task_id)


def _read_slot(name: str, value: str | int, span: list[int], alternatives: list[str]) -> Slot:
    return Slot(name, value, Span(*span), tuple(alternatives))


def _write_span(span: Span | None) -> list[int] | None:
    return [span.start, span.end] if span else None


def _read_span(data: list[int] | None) -> Span | None:
    return Span(*data) if data else None
