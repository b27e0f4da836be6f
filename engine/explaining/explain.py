"""One decision for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from engine.decision import Decision

_EVIDENCE = 6


def explain(text: str, decision: Decision) -> str:
    return "\n".join(_lines(text, decision)) + "\n"


def _lines(text: str, decision: Decision) -> Iterator[str]:
    confidence = "none stated" if decision.confidence is None else f"{decision.confidence:.3f}"
    yield f"{text!r}"
    yield f"  {decision.action}: {decision.intent} ({decision.reason}), confidence {confidence}, by {decision.decider}"
    for call in decision.calls:
        values = ", ".join(f"{argument.name}={argument.value!r}" for argument in call.arguments)
        yield f"  call {call.tool_name}({values})"
        for argument in call.arguments:
            origin, span = argument.provenance, argument.provenance.span
            said = f" {text[span.start : span.end]!r}" if span else ""
            yield f"    {argument.name} from the {origin.source}{said} {origin.detail}".rstrip()
    if decision.message:
        yield f"  says: {decision.message}"
    if decision.pending:
        yield f"  waits for: {decision.pending.kind} {decision.pending.parameter or ''}".rstrip()
    yield from _evidence_lines(text, decision)
    yield from _ledger_lines(text, decision)
    for reference in decision.references:
        found = ", ".join(f"{each.task_id} {each.score:.2f} {each.how}" for each in reference.candidates) or "nothing"
        yield f"  mention {reference.mention!r}: {found}"
    for step in decision.steps:
        yield f"  {step.name:>10}  {step.summary}"


def _evidence_lines(text: str, decision: Decision) -> Iterator[str]:
    if decision.scores:
        yield "  scores"
    for score in sorted(decision.scores, key=lambda each: -each.score)[:3]:
        yield f"    {score.intent:<15} {score.score:.3f}"
        for piece in score.evidence[:_EVIDENCE]:
            yield f"      {piece.weight:+6.2f}  {piece.rule}  {text[piece.span.start : piece.span.end]!r}"


def _ledger_lines(text: str, decision: Decision) -> Iterator[str]:
    if decision.ledger:
        yield "  ledger"
    for factor in decision.ledger:
        said = f"  {text[factor.span.start : factor.span.end]!r}" if factor.span else ""
        yield f"    {factor.amount:+.3f}  {factor.name} {factor.detail}".rstrip() + said
