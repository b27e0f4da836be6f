"""What the server's figures and spans are told of an answer of the LLM."""

from __future__ import annotations

from llm.endpoint import Endpoint
from llm.trace import LLMTrace
from telemetry import metrics, spans
from telemetry.spans import Span


def tell_operators(trace: LLMTrace, endpoint: Endpoint, span: Span) -> None:
    """To those who run the server: what came back, how long it took, what it cost in tokens; none of its words."""
    prompt, answer = trace.answer.prompt_tokens, trace.answer.answer_tokens
    metrics.llm_answered(
        endpoint=endpoint.kind,
        outcome=trace.outcome,
        failure=trace.failure,
        seconds=trace.total_ms / 1000,
        prompt_tokens=prompt,
        answer_tokens=answer,
    )
    reason = trace.answer.finish_reason
    spans.tell_answer(span, finish_reason=reason, failure=trace.failure, prompt_tokens=prompt, answer_tokens=answer)
