"""What the LLM's part of a turn cost: tokens, time and, where a price is known, money."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from llm.trace import LLMTrace


def summarise(traces: Sequence[LLMTrace], cost_of: Callable[[LLMTrace], float | None]) -> dict[str, Any]:
    """Sums over all exchanges of the turn. What no exchange knows stays None: it is not nought."""
    first, last = traces[0], traces[-1]
    costs = [cost_of(trace) for trace in traces]
    return {
        "endpoint": first.endpoint,
        "model": first.model,
        "path": first.path,
        "outcome": first.outcome,
        "failure": first.failure,
        "problem": first.problem,
        "attempts": [sentence for trace in traces for sentence in trace.attempts],
        "exchanges": len(traces),
        "prompt_tokens": _sum(trace.answer.prompt_tokens for trace in traces),
        "answer_tokens": _sum(trace.answer.answer_tokens for trace in traces),
        "first_token_ms": first.answer.first_token_ms,
        "total_ms": round(sum(trace.total_ms for trace in traces), 1),
        "cost": None if None in costs else sum(cost for cost in costs if cost is not None),
        "confidence_source": first.confidence_source,
        "composer": [asdict(note) for trace in traces for note in trace.composer],
        "later_problem": last.problem if len(traces) > 1 and last.outcome in ("failed", "broken_call") else "",
    }


def _sum(values: Any) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
