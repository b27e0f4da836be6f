"""Spec 1's algorithm as written, so that everybody can see on the same data what the engine is worth.

Substring keywords, its confidence formula, its extraction and its validation, its mistakes included
("get" is in "forget", "due" is in "residue"). Where the spec names a function without giving its code,
`domains.tasks.baseline.values` has the simplest honest reading. Do not improve this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from domains.tasks.baseline import values
from domains.tasks.mapping import find_tool
from engine.decision import (
    Action,
    Context,
    Decider,
    Decision,
    Evidence,
    Factor,
    Intent,
    IntentScore,
    Message,
    Reason,
    Step,
)
from engine.values import Argument, Provenance, Source, Span, Task, ToolCall

THRESHOLD = 0.7
CURRENT_TASKS = 50
"""The spec passes a list of the current tasks; of a store that may hold a million, the latest are that list."""
_NEEDS_TASK = ("update_task", "complete_task", "delete_task")
_TOOL_ARGUMENTS = MappingProxyType({"task_id": "task_identifier", "title": "new_title"})


class BaselineDecider:
    """A Decider. It looks at no earlier question, for the spec's algorithm has none."""

    def decide(self, text: str, context: Context) -> Decision:
        message = text.lower().strip()
        scores = score_intents(message, text)
        best = max(scores, key=lambda each: each.score)  # the first of equals, as max() over a dict gives
        if best.score <= 0:
            return _decision("reply", "unknown", Reason.NOT_ABOUT_TASKS, scores=scores)
        parameters = extract_parameters(message, best.intent, context)
        steps = (Step("detect_intent", best.intent), Step("extract_parameters", str(parameters)))
        if not validate_parameters(best.intent, parameters):
            missing = ", ".join(missing_parameters(best.intent, parameters))
            question = f"I need a bit more info: I need the following to complete this: {missing}"
            ledger: tuple[Factor, ...] = (Factor("invalid parameters", 0.5),)
            decision = _decision("clarify", best.intent, Reason.MISSING_PARAMETER, ledger, scores)
            return replace(decision, message=question, steps=steps)
        ledger = weigh_confidence(best.intent, message, parameters)
        confidence = _sum(ledger)
        action, reason, answer = handle_ambiguous_input(best.intent, confidence)
        call = make_tool_call(best.intent, parameters, text)
        decision = _decision(action, best.intent, reason, ledger, scores)
        return replace(decision, calls=(call,), call_confidences=(confidence,), message=answer, steps=steps)


def make_baseline() -> Decider:
    return BaselineDecider()


def score_intents(message: str, text: str) -> tuple[IntentScore, ...]:
    """How many of an intent's keywords occur anywhere in the message, also within other words."""
    found = []
    for intent, keywords in values.INTENT_KEYWORDS.items():
        evidence = tuple(
            Evidence(f"baseline/{intent}/{keyword}", 1.0, values.span_of(keyword, message, text))
            for keyword in keywords
            if keyword in message
        )
        found.append(IntentScore(intent, float(len(evidence)), evidence))
    return tuple(found)


def extract_parameters(message: str, intent: Intent, context: Context) -> dict[str, object]:
    """The spec's parameters by the spec's names; filters are flat here."""
    found: dict[str, object | None] = {}
    if intent == "add_task":
        found = {
            "title": values.extract_title_for_add(message),
            "description": values.extract_description(message),
            "priority": values.extract_priority(message),
        }
    elif intent == "list_tasks":
        found = {**values.extract_filters(message), "limit": values.extract_number(message, "limit")}
    else:
        current = tuple(reversed(context.tasks.recent(CURRENT_TASKS)))
        found["task_id"] = resolve_task_reference(message, context.history, current)
        if intent == "update_task":
            found |= values.extract_new_values(message)
    return {name: value for name, value in found.items() if value}


def resolve_task_reference(message: str, history: Sequence[Message], current: Sequence[Task]) -> str | None:
    if "task #" in message or "id:" in message:
        return values.extract_task_id(message, current)
    if "first task" in message or "that one" in message:
        return current[0].id if current else None
    if "last task" in message:
        return current[-1].id if current else None
    if "the task" in message or "this task" in message:
        for earlier in reversed(history[-5:]):
            if earlier.role == "assistant" and "task" in earlier.content:
                task_id = values.extract_task_id(earlier.content.lower(), current)
                if task_id:
                    return task_id
    return None


def validate_parameters(intent: Intent, parameters: Mapping[str, object]) -> bool:
    return not missing_parameters(intent, parameters)


def missing_parameters(intent: Intent, parameters: Mapping[str, object]) -> tuple[str, ...]:
    missing = []
    if intent == "add_task" and not str(parameters.get("title", "")).strip():
        missing.append("title")
    if intent in _NEEDS_TASK and "task_id" not in parameters:
        missing.append("task_id")
    if intent == "update_task" and not {"title", "description", "priority"} & set(parameters):
        missing.append("title, description or priority")
    return tuple(missing)


def weigh_confidence(intent: Intent, message: str, parameters: Mapping[str, object]) -> tuple[Factor, ...]:
    factors = [Factor("baseline", 0.5)]
    keyword = next((each for each in values.EXPLICIT_KEYWORDS.get(intent, ()) if each in message), None)
    if keyword:
        factors.append(Factor("explicit keyword", 0.2, detail=keyword))
    if intent == "add_task" and "title" in parameters:
        factors.append(Factor("title found", 0.3))
    if intent == "update_task" and "task_id" in parameters:
        factors.append(Factor("task found", 0.2))
    if intent in _NEEDS_TASK and "task_id" not in parameters:
        factors.append(Factor("vague reference", -0.3))
    over = sum(factor.amount for factor in factors) - 1.0
    return (*factors, Factor("cap", -over)) if over > 0 else tuple(factors)


def handle_ambiguous_input(intent: Intent, confidence: float) -> tuple[Action, Reason, str]:
    verb = intent.partition("_")[0]
    if intent == "delete_task":
        return "confirm", Reason.DESTRUCTIVE, f"I'm about to {verb} this task. Is that correct?"
    if confidence < THRESHOLD:
        doubt = f"I think you want to {verb}, but I'm not 100% sure. Could you clarify what you'd like to do?"
        return "clarify", Reason.BELOW_THRESHOLD, doubt
    return "execute", Reason.MATCHED_RULE, ""


def make_tool_call(intent: Intent, parameters: Mapping[str, object], text: str) -> ToolCall:
    """The spec's parameters under the names of our tools."""
    whole = Provenance("words", Span(0, len(text)))
    arguments = []
    for name, value in parameters.items():
        source: Source = "store" if name == "task_id" else "words"
        provenance = whole if source == "words" else Provenance(source)
        tool_name = _TOOL_ARGUMENTS.get(name, f"new_{name}") if intent == "update_task" else _tool_argument(name)
        arguments.append(Argument(tool_name, value, provenance))
    return ToolCall(find_tool(intent) or "", tuple(arguments))


def _tool_argument(name: str) -> str:
    return "task_identifier" if name == "task_id" else name


def _decision(
    action: Action,
    intent: Intent,
    reason: Reason,
    ledger: tuple[Factor, ...] = (),
    scores: tuple[IntentScore, ...] = (),
) -> Decision:
    return Decision("baseline", action, intent, reason, scores=scores, confidence=_sum(ledger), ledger=ledger)


def _sum(ledger: Sequence[Factor]) -> float:
    return round(sum(factor.amount for factor in ledger), 6)
