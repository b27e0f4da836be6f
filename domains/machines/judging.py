"""From what the composer made of a message to a Decision: the action, the reason, and the evidence with its places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from domains.machines.asking import COMMAND, MACHINE, Composed
from domains.machines.report import say_cancelled
from domains.machines.tools import CATALOGUE
from engine.completing.values import ComposerSettings, Composition, Hint, Suggestion, Why
from engine.decision import (
    Action,
    Candidate,
    Choice,
    Decision,
    Evidence,
    Factor,
    IntentScore,
    Pending,
    Reason,
    Reference,
    Sentence,
    Slot,
    Thresholds,
)
from engine.domain import UNKNOWN
from engine.values import Argument, Provenance, Span, ToolCall

REASONS: dict[Why, Reason] = {
    Why.SWITCHED_OFF: Reason.SWITCHED_OFF,
    Why.NOTHING_MISSING: Reason.MATCHED_RULE,
    Why.ONE_WAY: Reason.MATCHED_RULE,
    Why.LEARNED: Reason.LEARNED,
    Why.SEVERAL_MACHINES: Reason.AMBIGUOUS_TARGET,
    Why.SEVERAL_COMMANDS: Reason.MISSING_PARAMETER,
    Why.SEVERAL_METRICS: Reason.MISSING_PARAMETER,
    Why.SEVERAL_TASKS: Reason.AMBIGUOUS_TARGET,
    Why.NO_COMMAND_SAID: Reason.MISSING_PARAMETER,
    Why.NO_VALUE_SAID: Reason.MISSING_PARAMETER,
    Why.NOTHING_SAID: Reason.MISSING_PARAMETER,
    Why.NOT_SURE_ENOUGH: Reason.BELOW_THRESHOLD,
    Why.CONTRADICTION: Reason.CONTRADICTION,
    Why.BATCH: Reason.BATCH,
    Why.NO_MACHINE: Reason.NO_TARGET,
    Why.NO_COMMAND: Reason.UNABLE,
    Why.NO_METRIC: Reason.UNABLE,
    Why.NO_TASK: Reason.NO_TARGET,
    Why.VALUE_OUT_OF_RANGE: Reason.INVALID_PARAMETER,
    Why.NEGATED: Reason.NEGATED,
    Why.QUESTION: Reason.QUESTION_ABOUT_TOOL,
    Why.CONDITIONAL: Reason.HYPOTHETICAL,
    Why.LATER: Reason.HYPOTHETICAL,
    Why.NOT_A_REQUEST: Reason.NOT_ABOUT_TASKS,
    Why.UNKNOWN_TOOL: Reason.INVALID_PARAMETER,
    Why.BROKEN_CALL: Reason.INVALID_PARAMETER,
    Why.EMPTY: Reason.EMPTY,
}
"""Why a composition is what it is, as the reason of a decision. One reason for each: the table is whole."""
_ASKS_FOR: dict[Why, str] = {
    Why.SEVERAL_MACHINES: MACHINE,
    Why.BATCH: MACHINE,
    Why.NOT_SURE_ENOUGH: MACHINE,
    Why.SEVERAL_COMMANDS: COMMAND,
    Why.NO_COMMAND_SAID: COMMAND,
    Why.SEVERAL_METRICS: "metrics",
    Why.NO_VALUE_SAID: "value",
}
_NOTHING_ASKED = (Reason.NEGATED, Reason.QUESTION_ABOUT_TOOL, Reason.HYPOTHETICAL, Reason.NOT_ABOUT_TASKS)
_NAMES = ("device", "serial", "misspelt", "described")
AGAINST = ("negations", "asks", "conditions", "later", "clock", "reported", "states")


def judge(composed: Composed, text: str, settings: ComposerSettings, version: str) -> Decision:
    """The Decision for a message. Where it answers a question, the request's own words stand in another message."""
    composition = composed.composition
    if composed.answered:
        composition = _without_places(composition)
    reason = _reason(composed)
    intent = UNKNOWN if reason in _NOTHING_ASKED or composed.cancelled else CATALOGUE.intent_of(_tool(composition))
    action = _action(composition)
    message = say_cancelled(composition.language) if composed.cancelled else composition.message
    offered = (composition.offer,) if composition.offer and action == "confirm" else ()
    calls = tuple(each.call for each in composition.calls) if action == "execute" else offered
    confidence = 0.0 if composition.status == "failed" else composition.confidence
    return Decision(
        decider="engine",
        action=action,
        intent=intent,
        reason=reason,
        calls=calls,
        call_confidences=_call_confidences(composition, action, len(calls)),
        scores=_scores(intent, composition),
        confidence=confidence,
        ledger=add_up(composition.ledger, confidence),
        references=_references(composition, calls, text),
        slots=_slots(calls),
        message=message,
        sentences=_say(action, message),
        pending=_pending(composed, intent, composition) if action in ("clarify", "confirm") else None,
        steps=composition.steps,
        policy_version=version,
        language=composition.language,
        thresholds=Thresholds(act=settings.threshold),
        taught=composed.taught,
    )


def _reason(composed: Composed) -> Reason:
    why = composed.composition.why
    if composed.cancelled:
        return Reason.CANCELLED
    if composed.answered and composed.composition.status == "completed":
        return Reason.ANSWERED
    if why is Why.NOT_SURE_ENOUGH and _weakest_is_machine(composed.composition.ledger):
        return Reason.UNCERTAIN_TARGET
    return REASONS[why]


def _weakest_is_machine(ledger: Sequence[Factor]) -> bool:
    return bool(ledger) and min(ledger, key=lambda each: each.amount).name.startswith("machine:")


def _action(composition: Composition) -> Action:
    if composition.status == "completed":
        return "execute"
    if composition.status == "failed":
        return "reply"
    return "confirm" if composition.offer and len(composition.suggestions) == 1 else "clarify"


def _call_confidences(composition: Composition, action: Action, count: int) -> tuple[float, ...]:
    if action == "execute":
        return tuple(each.confidence for each in composition.calls)
    return (composition.confidence,) * count


def _say(action: Action, message: str) -> tuple[Sentence, ...]:
    if not message:
        return ()
    if action == "execute":
        return (Sentence("plan", message),)
    return (Sentence("reply" if action == "reply" else "question", message),)


def _tool(composition: Composition) -> str:
    if composition.calls and composition.status == "completed":
        return composition.calls[0].call.tool_name
    asked = next((each.tool_name for each in composition.suggestions), "")
    return asked or composition.read_as


def _pending(composed: Composed, intent: str, composition: Composition) -> Pending:
    known = composition.settled or _shared(composition.suggestions)
    chosen = composed.asked.arguments
    arguments = {**known, **chosen}
    call = ToolCall(
        _tool(composition),
        tuple(Argument(name, value, _origin(name, value, composed)) for name, value in arguments.items()),
    )
    parameter = _ASKS_FOR.get(composition.why)
    kind = "fill" if parameter == "value" else "confirm" if composition.offer else "choose"
    return Pending(
        kind,  # type: ignore[arg-type]
        intent,
        composition.offer if composition.offer else call,
        parameter,
        question=composition.message,
        then=tuple(each.call for each in composition.calls),
        choices=tuple(Choice(each.label, each.tool_name, dict(each.value)) for each in composition.suggestions),
        text=composed.asked.text,
        learns=composition.choice_key,
    )


def _origin(name: str, value: object, composed: Composed) -> Provenance:
    """What the user chose on the way to this question is theirs; the rest is read again with the answer."""
    if composed.asked.arguments.get(name) == value:
        return Provenance("answer", detail="chosen before")
    return Provenance("words")


def _shared(suggestions: Sequence[Suggestion]) -> dict[str, object]:
    """What all ways have in common is known already."""
    if not suggestions:
        return {}
    first, rest = suggestions[0].value, suggestions[1:]
    return {name: value for name, value in first.items() if all(each.value.get(name) == value for each in rest)}


def add_up(ledger: Sequence[Factor], confidence: float) -> tuple[Factor, ...]:
    """The composer's confidence is its weakest factor; here each takes away what it lowers it by, so that all of
    them add up to the confidence."""
    if not ledger:
        return (Factor("the answer", confidence),) if confidence else ()
    steps: list[Factor] = []
    reached = 0.0
    for place, each in enumerate(ledger):
        now = min(reached, each.amount) if place else each.amount
        detail = f"{each.detail} (worth {each.amount:g})" if each.detail else f"worth {each.amount:g}"
        steps.append(Factor(each.name, round(now - reached, 6), each.span, detail))
        reached = now
    if abs(reached - confidence) > 1e-9:
        steps.append(Factor("another part of the request", round(confidence - reached, 6)))
    return tuple(steps)


def _scores(intent: str, composition: Composition) -> tuple[IntentScore, ...]:
    """Hints are counted, not weighed: one for, one against. The confidence is the score of what was read."""
    against = tuple(_evidence(each, -1.0) for each in composition.hints if each.kind in AGAINST)
    speaking = tuple(_evidence(each, 1.0) for each in composition.hints if each.kind not in (*AGAINST, "unknown"))
    read = max(composition.confidence, 0.0) if composition.status != "failed" else 0.0
    if intent == UNKNOWN:
        return (IntentScore(UNKNOWN, 1.0, against),)
    return (IntentScore(intent, read, (*speaking, *against)), IntentScore(UNKNOWN, round(1.0 - read, 6)))


def _evidence(hint: Hint, weight: float) -> Evidence:
    return Evidence(f"{hint.kind}:{hint.meaning}", weight, hint.span)


def _references(composition: Composition, calls: Sequence[ToolCall], text: str) -> tuple[Reference, ...]:
    """Which machine was meant; those that lost stay in, each with its score, its level and why it lost."""
    chosen = list(dict.fromkeys(str(device) for call in calls if (device := call.parameters.get(MACHINE))))
    candidates = tuple(
        Candidate(each.machine_id, each.confidence, each.level, each.lost) for each in composition.candidates
    )
    if not candidates and not chosen:
        return ()
    span = _named_span(composition.hints)
    mention = text[span.start : span.end] if span else ""
    listed = {each.task_id for each in candidates}
    first = next((each for each in chosen if each in listed), None)
    found = [Reference(mention, span, candidates, first)] if candidates else []
    for device in chosen:
        if device != first:
            how = next((each.name.partition(": ")[2] for each in composition.ledger), "") or "answer"
            found.append(Reference(mention, span, (Candidate(device, composition.confidence, how),), device))
    return tuple(found)


def _named_span(hints: Sequence[Hint]) -> Span | None:
    named = [each.span for each in hints if each.kind in _NAMES]
    return Span(min(each.start for each in named), max(each.end for each in named)) if named else None


def _slots(calls: Sequence[ToolCall]) -> tuple[Slot, ...]:
    return tuple(
        Slot(each.name, each.value if isinstance(each.value, int) else str(each.value), each.provenance.span)
        for call in calls
        for each in call.arguments
        if each.provenance.span and each.provenance.source == "words"
    )


def _without_places(composition: Composition) -> Composition:
    """The words of the request that was answered stand in an earlier message: their places are not in this one."""
    calls = tuple(
        replace(each, call=ToolCall(each.call.tool_name, tuple(_without_span(one) for one in each.call.arguments)))
        for each in composition.calls
    )
    ledger = tuple(each._replace(span=None) for each in composition.ledger)
    return replace(composition, calls=calls, ledger=ledger, hints=())


def _without_span(argument: Argument) -> Argument:
    origin = argument.provenance
    return replace(argument, provenance=Provenance(origin.source, None, origin.detail)) if origin.span else argument
