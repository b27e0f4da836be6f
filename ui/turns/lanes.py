"""One lane's card: the call with the source of every argument, scores, confidence, the task and its rivals.

Everything here decides what is shown; `lanes.html.j2` says how it looks. No streamlit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from db.turns.turns import StoredTurn
from engine.decision import Decision, Reason, Reference
from engine.values import ToolCall
from ui.call_words import show_value
from ui.turns.composer import Note, read_notes
from ui.turns.provenance import OriginView, describe_origin
from ui.words import ACTION_WORDS, REASON_WORDS, find_overruled, format_cost, format_ms, name_how, name_intent

Titles = Mapping[str, str]
_SHOWN_SCORES = 4
_SHOWN_LOSERS = 3
_LEAST_SCORE = 0.005
_LONGEST_STREAM = 600


class VerdictView(NamedTuple):
    action: str
    reason: str
    code: str


class ArgumentView(NamedTuple):
    name: str
    value: str
    origin: OriginView


class CallView(NamedTuple):
    tool_name: str
    arguments: tuple[ArgumentView, ...]


class TargetView(NamedTuple):
    """The task that a mention resolved to, before which others; without a title, no single one."""

    mention: str
    title: str
    fit: str
    losers: str
    hint: str = ""
    """How it fits in the code's own words, with the figure."""


class ConfidenceScale(NamedTuple):
    text: str
    width: str
    tick: str = ""
    hint: str = ""


class ScoreView(NamedTuple):
    intent: str
    width: str
    score: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class LaneView:
    name: str
    key: str
    """`engine` or `llm`: the colour."""
    drives: bool = False
    time: str = ""
    thinking: str = ""
    """What is waited for."""
    streamed: str = ""
    verdict: VerdictView | None = None
    problem: str = ""
    quote: str = ""
    calls: tuple[CallView, ...] = ()
    notes: tuple[Note, ...] = ()
    """Of the composer."""
    targets: tuple[TargetView, ...] = ()
    scale: ConfidenceScale | None = None
    states_no_confidence: bool = False
    scores: tuple[ScoreView, ...] = ()
    costs: str | None = None


def engine_lane(decision: Decision, titles: Titles, *, drives: bool, act_threshold: float) -> LaneView:
    return LaneView(
        "Engine",
        "engine",
        drives,
        format_ms(decision.elapsed_ms),
        verdict=_verdict(decision),
        calls=_calls(decision, titles),
        targets=_targets(decision, titles),
        scale=_engine_scale(decision, act_threshold),
        scores=_scores(decision),
    )


def llm_lane(decision: Decision | None, turn: StoredTurn, titles: Titles, *, drives: bool) -> LaneView:
    summary = turn.llm_summary
    problem = str(summary.get("problem") or "")
    if decision is None:
        return LaneView("LLM", "llm", drives, problem=problem or "The LLM lane is off. Turn it on under Settings.")
    broken = decision.reason in (Reason.UNAVAILABLE, Reason.BROKEN_CALL)
    return LaneView(
        "LLM",
        "llm",
        drives,
        format_ms(summary.get("total_ms")),
        verdict=_verdict(decision),
        problem=f"⚠ {problem}" if problem and broken else "",
        quote=decision.message if decision.reason is Reason.MODEL_REPLIED else "",
        calls=_calls(decision, titles),
        notes=read_notes(summary.get("composer") or (), titles),
        targets=_targets(decision, titles),
        scale=_llm_scale(decision.confidence, str(summary.get("confidence_source") or "")),
        states_no_confidence=decision.confidence is None and bool(decision.calls),
        costs=_costs(summary),
    )


def waiting_lane(streamed: str, *, getting_ready: bool = False) -> LaneView:
    doing = "The embedded model is getting ready" if getting_ready else "Thinking"
    return LaneView("LLM", "llm", thinking=doing, streamed=streamed[-_LONGEST_STREAM:])


def _verdict(decision: Decision) -> VerdictView:
    if decision.reason is Reason.UNAVAILABLE:  # who gave no answer replied nothing either
        return VerdictView("No answer", "", f"{decision.action}, {decision.reason}")
    action, reason = ACTION_WORDS[decision.action], REASON_WORDS[decision.reason]
    return VerdictView(action.capitalize(), reason, f"{decision.action}, {decision.reason}")


def _calls(decision: Decision, titles: Titles) -> tuple[CallView, ...]:
    calls = decision.calls or ((decision.pending.call,) if decision.pending else ())
    return tuple(_call(call, titles) for call in calls if call.tool_name)


def _call(call: ToolCall, titles: Titles) -> CallView:
    arguments = (
        ArgumentView(
            each.name, show_value(call.tool_name, each.name, each.value, titles), describe_origin(each.provenance)
        )
        for each in call.arguments
    )
    return CallView(call.tool_name, tuple(arguments))


def _targets(decision: Decision, titles: Titles) -> tuple[TargetView, ...]:
    return tuple(_target(reference, titles) for reference in decision.references)


def _target(reference: Reference, titles: Titles) -> TargetView:
    winner = next((each for each in reference.candidates if each.task_id == reference.task_id), None)
    losers = [each for each in reference.candidates if each.task_id != reference.task_id][:_SHOWN_LOSERS]
    lost = ", ".join(f"{titles.get(each.task_id, '?')} {each.score:.2f}" for each in losers)
    if winner is None:
        return TargetView(reference.mention, "", "", lost)
    hint = f"{winner.how}, {winner.score:.2f}"
    return TargetView(reference.mention, titles.get(winner.task_id, "?"), name_how(winner.how), lost, hint)


def _engine_scale(decision: Decision, act_threshold: float) -> ConfidenceScale | None:
    """Says what the confidence is of."""
    confidence = decision.confidence
    if confidence is None:
        return None
    if decision.action == "reply":  # nothing would be done, so nothing is held to a threshold
        if not confidence:  # it was read, and refused: nobody is unsure that there is nothing to do
            return None
        if find_overruled(decision):
            return ConfidenceScale(f"{confidence:.2f} by its words alone, but it only tells", _hundredths(confidence))
        return ConfidenceScale(f"{confidence:.2f} sure that there is nothing to do", _hundredths(confidence))
    text = f"{confidence:.2f} sure of this reading, acts from {act_threshold:.2f}"
    return ConfidenceScale(text, _hundredths(confidence), f"{act_threshold * 100:.0f}")


def _llm_scale(confidence: float | None, source: str) -> ConfidenceScale | None:
    return (
        None
        if confidence is None
        else ConfidenceScale(f"{confidence:.2f} sure of its answer", _hundredths(confidence), hint=source)
    )


def _hundredths(value: float) -> str:
    return f"{max(0.0, min(1.0, value)) * 100:.0f}"


def _scores(decision: Decision) -> tuple[ScoreView, ...]:
    best = sorted(decision.scores, key=lambda score: -score.score)[:_SHOWN_SCORES]
    return tuple(
        ScoreView(name_intent(each.intent), _hundredths(each.score), f"{each.score:.2f}", each.intent)
        for each in best
        if each.score > _LEAST_SCORE
    )


def _costs(summary: Mapping[str, object]) -> str:
    tokens = [summary.get("prompt_tokens"), summary.get("answer_tokens")]
    first, cost = summary.get("first_token_ms"), summary.get("cost")
    parts = [
        str(summary.get("model") or ""),
        f"{tokens[0]} + {tokens[1]} tokens" if None not in tokens else "",
        f"first token {format_ms(first)}" if isinstance(first, float) else "",
        format_cost(cost) if isinstance(cost, float | int) else "",
        f"{summary['exchanges']} rounds" if int(str(summary.get("exchanges") or 1)) > 1 else "",
        "structured output" if summary.get("path") == "schema" else "native tools" if summary.get("path") else "",
    ]
    return " · ".join(part for part in parts if part)
