"""Calls about tasks: what a model left out is taken from the engine's own reading of the same message.

The engine resolves "it", "#3" and half a title already, and knows dates; the composer adds nothing that the engine
did not find in the words, the conversation or the store.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from domains.deciders import make_engine
from domains.tasks.mapping import INTENT_TO_TOOL as TOOL_OF_INTENT
from domains.tasks.mapping import TOOL_TO_INTENT
from engine.composer.marking import mark_words
from engine.composer.parts import factor
from engine.composer.phrasing import ask_for, label_tool, say
from engine.composer.task_arguments import (
    IDENTIFIER,
    as_given,
    find_contradiction,
    find_missing,
    heard_calls,
    pick_matching,
    read_dates,
)
from engine.composer.task_target import Target, find_target, label_task
from engine.composer.values import ComposedCall, Composition, Request, Status, Suggestion, Why
from engine.decision import Context, Decision, Factor, Language, Reason, Step
from engine.fleet.memory_fleet import MemoryFleet
from engine.values import Argument, ToolCall

ON_TASK = ("complete_task", "delete_task", "update_task")
_REFUSALS = {
    Reason.NEGATED: Why.NEGATED,
    Reason.CANCELLED: Why.NEGATED,
    Reason.HYPOTHETICAL: Why.CONDITIONAL,
    Reason.QUESTION_ABOUT_TOOL: Why.QUESTION,
    Reason.BATCH: Why.BATCH,
}
_SPEAKS_AGAINST = {
    "negations": Why.NEGATED,
    "conditions": Why.CONDITIONAL,
    "later": Why.LATER,
    "reported": Why.NOT_A_REQUEST,
}


@dataclass(frozen=True, slots=True)
class _Scene:
    request: Request
    tool: str
    context: Context
    heard: Decision
    language: Language

    def answer(self, status: Status, why: Why, message: str = "", **more: Any) -> Composition:
        step = Step("the engine's reading", f"{self.heard.intent}, {self.heard.action}, {self.heard.reason}")
        return Composition(
            status,
            why,
            message or say(self.language, str(why)),
            steps=(step,),
            language=self.language,
            tool_name=self.tool,
            **more,
        )


def compose_task(request: Request, given: dict[str, Any], language: Language) -> Composition:
    context = replace(request.context, language=language)
    heard = make_engine().decide(request.text, context)
    tool = request.tool_name or TOOL_OF_INTENT.get(heard.intent)
    scene = _Scene(request, tool or "", context, heard, language)
    if tool is None:
        return scene.answer("failed", _REFUSALS.get(heard.reason, Why.NOT_A_REQUEST))
    refused = _refusal(scene, set(given))
    if refused:
        return refused
    found = heard_calls(heard, scene.tool)
    if len(found) > 1 and not given:
        return _several(found, scene)
    given = read_dates(given, context, language)
    said = pick_matching(found, given)
    differing = find_contradiction(given, said, heard)
    if differing:
        message = say(language, "contradiction", said=differing[0], given=differing[1])
        return scene.answer("needs_clarification", Why.CONTRADICTION, message, confidence=factor("several"))
    arguments = [as_given(name, value, request.text) for name, value in given.items() if name != IDENTIFIER]
    if said is not None:
        arguments += [each for each in said.arguments if each.name != IDENTIFIER and each.name not in given]
    ledger: list[Factor] = [Factor("the call and the words", factor("given"))]
    if scene.tool in ON_TASK:
        target = _find_target(given, said, scene)
        unsure = target.confidence < request.settings.threshold and len(target.options) > 1
        if target.task_id is None or unsure:
            return _ask_target(target, arguments, scene)
        arguments.insert(0, Argument(IDENTIFIER, target.task_id, target.provenance))
        ledger.append(Factor(f"task: {target.how}", target.confidence, target.provenance.span, target.label))
    missing = find_missing(scene.tool, {argument.name for argument in arguments})
    if missing:
        return _ask_for(missing, arguments, scene)
    return _settle(arguments, ledger, scene)


def _refusal(scene: _Scene, names: set[str]) -> Composition | None:
    heard, tool = scene.heard, scene.tool
    why = _REFUSALS.get(heard.reason)
    if why is None and heard.intent == "unknown" and tool in (*ON_TASK, "add_task"):
        why = _unspoken(scene.request.text)
    if why is not None:
        return scene.answer("failed", why)
    complete = not find_missing(tool, names) and (tool not in ON_TASK or IDENTIFIER in names)
    if heard.intent in ("unknown", TOOL_TO_INTENT[tool]) or complete or _amounts_to(heard, tool):
        return None
    said = label_tool(TOOL_OF_INTENT.get(heard.intent) or heard.intent, scene.language)
    message = say(scene.language, "contradiction_tool", said=said, given=label_tool(tool, scene.language))
    return scene.answer("failed", Why.CONTRADICTION, message)


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


def _find_target(given: dict[str, Any], said: ToolCall | None, scene: _Scene) -> Target:
    target = find_target(
        given.get(IDENTIFIER), scene.heard, scene.tool, scene.request.text, scene.context, scene.language
    )
    other = said.parameters.get(IDENTIFIER) if said is not None else None
    if not other or target.task_id in (None, other):
        return target
    task = scene.context.tasks.find_by_id(str(other))  # the call means one task, the words another
    return Target(None, options=(*target.options, *(((task, factor("several")),) if task else ())))


def _several(found: list[ToolCall], scene: _Scene) -> Composition:
    worth = factor("command_words")
    calls = tuple(ComposedCall(call, worth, dict(scene.request.arguments)) for call in found)
    ledger = (Factor("words", worth),)
    return scene.answer("completed", Why.ONE_WAY, scene.heard.message, calls=calls, confidence=worth, ledger=ledger)


def _ask_target(target: Target, arguments: list[Argument], scene: _Scene) -> Composition:
    rest = {argument.name: argument.value for argument in arguments}
    limit = scene.request.settings.max_suggestions
    suggestions = tuple(
        Suggestion(label_task(task), {IDENTIFIER: task.id, **rest}, worth, scene.tool)
        for task, worth in target.options[:limit]
    )
    if not suggestions:
        return scene.answer("failed", Why.NO_TASK) if target.named else _ask_for(IDENTIFIER, arguments, scene)
    one = len(suggestions) == 1
    why = Why.NOT_SURE_ENOUGH if one else Why.SEVERAL_TASKS
    return scene.answer(
        "needs_clarification",
        why,
        say(scene.language, str(why), label=suggestions[0].label),
        suggestions=suggestions,
        more=max(0, len(target.options) - limit),
        confidence=suggestions[0].confidence if one else factor("several"),
        partial=rest,
        asked_for=IDENTIFIER,
    )


def _ask_for(argument: str, known: list[Argument], scene: _Scene) -> Composition:
    message = say(scene.language, "nothing_said", question=ask_for(scene.language, argument))
    partial = {each.name: each.value for each in known}
    return scene.answer(
        "needs_clarification", Why.NOTHING_SAID, message, partial=partial, asked_for=argument, confidence=factor("none")
    )


def _settle(arguments: list[Argument], ledger: list[Factor], scene: _Scene) -> Composition:
    request, confidence = scene.request, min(each.amount for each in ledger)
    call = ComposedCall(ToolCall(scene.tool, tuple(arguments)), confidence, dict(request.arguments))
    if confidence >= request.settings.threshold:
        changed = call.call.parameters != dict(request.arguments)
        why = Why.ONE_WAY if changed else Why.NOTHING_MISSING
        message = scene.heard.message if changed else ""
        return scene.answer("completed", why, message, calls=(call,), confidence=confidence, ledger=tuple(ledger))
    label = ledger[-1].detail or scene.tool
    return scene.answer(
        "needs_clarification",
        Why.NOT_SURE_ENOUGH,
        say(scene.language, "not_sure_enough", label=label),
        suggestions=(Suggestion(label, call.call.parameters, confidence, scene.tool),),
        confidence=confidence,
        ledger=tuple(ledger),
        partial=call.call.parameters,
        asked_for=IDENTIFIER,
    )
