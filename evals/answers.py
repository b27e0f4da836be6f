"""What one decider made of one line, and the short form of it that is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domains.catalogues import find_target
from engine.decision import Context, Decision, Reason
from engine.explaining.agreement import calls_of
from engine.values import ToolCall
from llm.trace import LLMTrace


@dataclass(frozen=True, slots=True)
class TimedDecision:
    decision: Decision | None
    """None where the decider itself failed."""
    milliseconds: float
    prompt_tokens: int | None = None
    answer_tokens: int | None = None
    cost: float | None = None
    problem: str = ""

    @property
    def is_broken(self) -> bool:
        """A call that cannot be made, or no answer at all."""
        return self.decision is None or self.decision.reason in (Reason.BROKEN_CALL, Reason.UNAVAILABLE)


def read_answer(
    decision: Decision, milliseconds: float, trace: LLMTrace | None = None, cost: float | None = None
) -> TimedDecision:
    if trace is None:
        return TimedDecision(decision, milliseconds)
    problem = trace.problem if trace.outcome in ("failed", "broken_call") else ""
    read, written = trace.answer.prompt_tokens, trace.answer.answer_tokens
    return TimedDecision(decision, milliseconds, read, written, cost, problem)


def read_failure(error: Exception, milliseconds: float) -> TimedDecision:
    return TimedDecision(None, milliseconds, problem=f"{type(error).__name__}: {error}")


def write_answer(answer: TimedDecision, context: Context) -> dict[str, Any]:
    """Plain JSON; a task is named as people see it, beside its id."""
    decision = answer.decision
    written: dict[str, Any] = {
        "action": decision.action if decision else None,
        "intent": decision.intent if decision else "unknown",
        "reason": str(decision.reason) if decision else None,
        "confidence": decision.confidence if decision else None,
        "calls": [_write_call(call, context) for call in calls_of(decision)] if decision else [],
        "ms": round(answer.milliseconds, 3),
        "prompt_tokens": answer.prompt_tokens,
        "answer_tokens": answer.answer_tokens,
        "cost": answer.cost,
        "problem": answer.problem,
        "broken": answer.is_broken,
    }
    # By identity: a cost of 0.0 is known, and must not go with what is not.
    return {name: value for name, value in written.items() if value is not None and value is not False and value != ""}


def _write_call(call: ToolCall, context: Context) -> dict[str, Any]:
    task = context.tasks.find_by_id(find_target(call) or "")
    named = {"task": f"#{task.number} {task.title}"} if task else {}
    return {"tool_name": call.tool_name, "parameters": call.parameters, **named}


def write_calls(answer: Mapping[str, Any]) -> str:
    """What a kept answer calls or asks about, as people write it."""
    return " + ".join(f"{call['tool_name']}({_arguments(call['parameters'])})" for call in answer.get("calls") or ())


def _arguments(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in parameters.items())
