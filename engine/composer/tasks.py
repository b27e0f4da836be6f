"""Calls about tasks: what a model left out is taken from the engine's own reading of the same message.

The engine resolves "it", "#3" and half a title already, and knows dates; the composer adds nothing that the engine
did not find in the words, the conversation or the store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.composer.marks import mark_words
from engine.composer.parts import factor
from engine.composer.phrasing import ask_for, say
from engine.composer.task_target import Target, find_target, label_task
from engine.composer.values import ComposedCall, Composition, Request, Suggestion, Why
from engine.dates import parse_date
from engine.decider import RuleDecider
from engine.decision import Context, Decision, Factor, Language, Reason, Step
from engine.mapping import TOOL_TO_INTENT
from engine.memory_fleet import MemoryFleet
from engine.memory_index import title_words
from engine.tools import DUE_WORDS
from engine.values import Argument, Provenance, Span, Task, ToolCall

ON_TASK = ("complete_task", "delete_task", "update_task")
_IDENTIFIER = "task_identifier"
_DATES = ("due_date", "new_due_date", "due")
_REFUSALS = {
    Reason.NEGATED: Why.NEGATED,
    Reason.CANCELLED: Why.NEGATED,
    Reason.HYPOTHETICAL: Why.CONDITIONAL,
    Reason.QUESTION_ABOUT_TOOL: Why.QUESTION,
    Reason.BATCH: Why.BATCH,
}


_SPEAKS_AGAINST = {"negations": Why.NEGATED, "conditions": Why.CONDITIONAL, "later": Why.LATER}


def compose_task(request: Request, given: dict[str, Any], language: Language) -> Composition:
    context = replace(request.context, language=language)
    heard = RuleDecider().decide(request.text, context)
    tool = str(request.tool_name)
    refusal = _refusal(heard, tool, given, request, language)
    if refusal:
        return refusal
    found = _heard_calls(heard, tool)
    if len(found) > 1 and not given:
        calls = tuple(ComposedCall(call, factor("command_words"), dict(request.arguments)) for call in found)
        return _done(calls, Why.ONE_WAY, (Factor("words", factor("command_words")),), heard, language)
    given = _with_dates(given, context, language)
    said = _matching(found, given)
    differing = _contradiction(given, said, heard, language)
    if differing:
        return differing
    arguments = [_given(name, value, request.text) for name, value in given.items() if name != _IDENTIFIER]
    if said is not None:
        arguments += [each for each in said.arguments if each.name != _IDENTIFIER and each.name not in given]
    ledger: list[Factor] = [Factor("the call and the words", factor("given"))]
    if tool in ON_TASK:
        target = find_target(given.get(_IDENTIFIER), heard, tool, request.text, context, language)
        other = said.parameters.get(_IDENTIFIER) if said is not None else None
        if other and target.task_id not in (None, other):
            both = (*target.options, *_as_option(str(other), context))
            target = Target(None, options=both)
        unsure = target.confidence < request.settings.threshold and len(target.options) > 1
        if target.task_id is None or unsure:
            return _ask_target(target, tool, arguments, request, language, heard)
        arguments.insert(0, Argument(_IDENTIFIER, target.task_id, target.provenance))
        ledger.append(Factor(f"task: {target.how}", target.confidence, target.provenance.span, target.label))
    missing = _missing(tool, arguments)
    if missing:
        message = say(language, "nothing_said", question=ask_for(language, missing))
        why = Why.NOTHING_SAID
        return Composition(
            "needs_clarification", why, message, confidence=factor("several"), steps=_steps(heard), language=language
        )
    return _settle(tool, arguments, ledger, request, heard, language)


def _refusal(
    heard: Decision, tool: str, given: Mapping[str, Any], request: Request, language: Language
) -> Composition | None:
    why = _REFUSALS.get(heard.reason)
    if why is None and heard.intent == "unknown" and tool in (*ON_TASK, "add_task"):
        why = _unspoken(request.text)
    if why is not None:
        return Composition("failed", why, say(language, str(why)), steps=_steps(heard), language=language)
    complete = not _missing(tool, [_given(name, value, "") for name, value in given.items()]) and (
        tool not in ON_TASK or _IDENTIFIER in given
    )
    if heard.intent in ("unknown", TOOL_TO_INTENT[tool]) or complete or _amounts_to(heard, tool):
        return None
    message = say(language, "contradiction_tool", said=heard.intent, given=tool)
    return Composition("failed", Why.CONTRADICTION, message, steps=_steps(heard), language=language)


def _unspoken(text: str) -> Why | None:
    """The engine reads no request at all. Where the words also ask, deny or put off, the model is wrong."""
    marks = mark_words(text, MemoryFleet()).marks
    if text.rstrip().endswith("?") or (marks and marks[0].kind == "asks"):
        return Why.QUESTION
    kinds = {mark.kind for mark in marks}
    return next((why for kind, why in _SPEAKS_AGAINST.items() if kind in kinds), None)


def _amounts_to(heard: Decision, tool: str) -> bool:
    """Marking as done is completing, whichever of the two tools it is called by."""
    return {heard.intent, tool} == {"complete_task", "update_task"} and (
        tool == "update_task" or any(call.parameters.get("new_status") == "completed" for call in heard.calls)
    )


def _with_dates(given: dict[str, Any], context: Context, language: Language) -> dict[str, Any]:
    """Dates as the tools take them: "tomorrow" is a day. What is no date at all counts as left out."""
    read: dict[str, Any] = {}
    for name, value in given.items():
        if name not in _DATES or (name == "due" and value in DUE_WORDS):
            read[name] = value
            continue
        found = parse_date(str(value), context.now, language) or parse_date(str(value), context.now, "en")
        if found:
            read[name] = found.value[:10] if name == "due" else found.value
    return read


def _contradiction(
    given: Mapping[str, Any], said: ToolCall | None, heard: Decision, language: Language
) -> Composition | None:
    """Where the engine is sure of a value and the call has another one, neither is taken unasked."""
    if said is None or heard.action not in ("execute", "confirm"):
        return None
    for name, value in said.parameters.items():
        other = given.get(name)
        if other is None or name == _IDENTIFIER or _agree(name, value, other):
            continue
        message = say(language, "contradiction", said=value, given=other)
        return Composition(
            "needs_clarification",
            Why.CONTRADICTION,
            message,
            confidence=factor("several"),
            steps=_steps(heard),
            language=language,
        )
    return None


def _agree(name: str, one: object, other: object) -> bool:
    if name in ("title", "new_title", "search", "description", "new_description"):
        return bool(set(title_words(str(one))) & set(title_words(str(other))))
    if name in _DATES:
        return str(one)[:10] == str(other)[:10]
    return one == other


def _heard_calls(heard: Decision, tool: str) -> list[ToolCall]:
    calls = list(heard.calls) or ([heard.pending.call] if heard.pending else [])
    if tool == "update_task" and heard.intent == "complete_task":
        done = Argument("new_status", "completed", Provenance("words", detail="said to be done"))
        calls = [ToolCall(tool, (*call.arguments, done)) for call in calls]
    return [call for call in calls if call.tool_name == tool]


def _matching(found: Sequence[ToolCall], given: Mapping[str, Any]) -> ToolCall | None:
    """The request of the message that this call is about."""
    if len(found) < 2:
        return found[0] if found else None
    for call in found:
        if any(str(given.get(name, "")).lower() == str(value).lower() for name, value in call.parameters.items()):
            return call
    return None


def _as_option(task_id: str, context: Context) -> tuple[tuple[Task, float], ...]:
    task = context.tasks.find_by_id(task_id)
    return ((task, factor("several")),) if task else ()


def _given(name: str, value: object, text: str) -> Argument:
    """From the LLM; with its place where the user said these very words."""
    start = text.lower().find(value.lower()) if isinstance(value, str) and value else -1
    span = Span(start, start + len(str(value))) if start >= 0 else None
    return Argument(name, value, Provenance("llm", span))


def _missing(tool: str, arguments: Sequence[Argument]) -> str:
    names = {argument.name for argument in arguments}
    if tool == "add_task" and "title" not in names:
        return "title"
    if tool == "update_task" and not names - {_IDENTIFIER}:
        return "change"
    return ""


def _ask_target(
    target: Target, tool: str, arguments: list[Argument], request: Request, language: Language, heard: Decision
) -> Composition:
    rest = {argument.name: argument.value for argument in arguments}
    limit = request.settings.max_suggestions
    suggestions = tuple(
        Suggestion(label_task(task), {_IDENTIFIER: task.id, **rest}, worth, tool)
        for task, worth in target.options[:limit]
    )
    more = max(0, len(target.options) - limit)
    if not suggestions:
        if target.named:
            return Composition("failed", Why.NO_TASK, say(language, "no_task"), steps=_steps(heard), language=language)
        question = ask_for(language, _IDENTIFIER)
        message = say(language, "nothing_said", question=question)
        return Composition(
            "needs_clarification", Why.NOTHING_SAID, message, confidence=0.0, steps=_steps(heard), language=language
        )
    one = len(suggestions) == 1
    why = Why.NOT_SURE_ENOUGH if one else Why.SEVERAL_TASKS
    message = say(language, str(why), label=suggestions[0].label)
    return Composition(
        "needs_clarification",
        why,
        message,
        suggestions=suggestions,
        more=more,
        confidence=suggestions[0].confidence if one else factor("several"),
        steps=_steps(heard),
        language=language,
    )


def _settle(
    tool: str, arguments: list[Argument], ledger: list[Factor], request: Request, heard: Decision, language: Language
) -> Composition:
    confidence = min(each.amount for each in ledger)
    call = ComposedCall(ToolCall(tool, tuple(arguments)), confidence, dict(request.arguments))
    if confidence >= request.settings.threshold:
        changed = call.call.parameters != dict(request.arguments)
        why = Why.ONE_WAY if changed else Why.NOTHING_MISSING
        return _done((call,), why, tuple(ledger), heard, language)
    label = ledger[-1].detail or tool
    suggestion = Suggestion(label, call.call.parameters, confidence, tool)
    return Composition(
        "needs_clarification",
        Why.NOT_SURE_ENOUGH,
        say(language, "not_sure_enough", label=label),
        suggestions=(suggestion,),
        confidence=confidence,
        ledger=tuple(ledger),
        steps=_steps(heard),
        language=language,
    )


def _done(
    calls: tuple[ComposedCall, ...], why: Why, ledger: tuple[Factor, ...], heard: Decision, language: Language
) -> Composition:
    confidence = min(call.confidence for call in calls)
    message = heard.message if why is Why.ONE_WAY else say(language, "nothing_missing")
    return Composition(
        "completed", why, message, calls, confidence=confidence, ledger=ledger, steps=_steps(heard), language=language
    )


def _steps(heard: Decision) -> tuple[Step, ...]:
    summary = f"{heard.intent}, {heard.action}, {heard.reason}"
    return (Step("the engine's reading", summary),)
