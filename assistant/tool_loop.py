"""The LLM's tool loop: results go back to the model, which may call again or say something about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.turn_values import Done, Executed, LLMProgress, OpenTurn
from engine.decision import Decision
from engine.outcome.routes import Route
from engine.values import ToolCall
from llm.rounds import MOST_ROUNDS
from llm.trace import LLMTrace, LLMTurn


def first_round(route: Route, asked: LLMTurn, done: Done) -> LLMProgress:
    return LLMProgress(route, asked.decision, (asked.trace,), (done.executed,), done.reply, done.offers)


def next_round(so_far: LLMProgress, answer: LLMTurn, more: Done) -> LLMProgress:
    return replace(
        so_far,
        traces=(*so_far.traces, answer.trace),
        rounds=(*so_far.rounds, more.executed),
        reply=f"{so_far.reply} {more.reply}".strip(),
        offers=more.offers,
    )


def goes_on(progress: LLMProgress, latest: Done) -> bool:
    """Whether the model is asked once more. `latest`: what came of its last answer."""
    left = len(progress.traces) < MOST_ROUNDS
    return left and latest.pending is None and _can_go_on(progress.traces[-1], latest.executed)


def count_changes(progress: LLMProgress, turn: OpenTurn) -> int:
    return sum(each.call.tool_name in turn.policy.catalogue.changing_tools for each in progress.executed)


def repeats(decision: Decision, progress: LLMProgress) -> bool:
    before = [(each.call.tool_name, _asked(each.call)) for each in progress.executed]
    return any((call.tool_name, _asked(call)) in before for call in decision.calls)


def _can_go_on(trace: LLMTrace, executed: Sequence[Executed]) -> bool:
    # The embedded model says all it has to say at once; what came of it is told from the results.
    return bool(executed) and trace.endpoint != "embedded"


def _asked(call: ToolCall) -> dict[str, object]:
    return {each.name: each.value for each in call.arguments if each.provenance.source != "default"}
