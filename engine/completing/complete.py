"""Calls of a domain that is read by ways of asking: what a model left out is taken from the engine's own reading.

The engine resolves "it", "#3" and half a title already, and knows dates; completing adds nothing that the engine did
not find in the words, the conversation or the store.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.catalogue.facts import UNKNOWN, ToolFacts
from engine.completing.arguments import (
    as_given,
    find_contradiction,
    find_missing,
    heard_calls,
    pick_matching,
    read_dates,
)
from engine.completing.means import Means
from engine.completing.target import Search, Target, find_target, label_task
from engine.completing.values import ComposedCall, Composition, Request, Status, Suggestion, Why
from engine.completing.worth import factor
from engine.decision import Context, Decision, Factor, Language, Reason, Step
from engine.values import Argument, ToolCall

_REFUSALS = {
    Reason.NEGATED: Why.NEGATED,
    Reason.CANCELLED: Why.NEGATED,
    Reason.HYPOTHETICAL: Why.CONDITIONAL,
    Reason.QUESTION_ABOUT_TOOL: Why.QUESTION,
    Reason.BATCH: Why.BATCH,
}


@dataclass(frozen=True, slots=True)
class _Scene:
    request: Request
    facts: ToolFacts | None
    context: Context
    heard: Decision
    language: Language
    means: Means

    @property
    def tool(self) -> ToolFacts:
        assert self.facts is not None  # noqa: S101 - looked at before anything is completed
        return self.facts

    def say(self, message: str, **values: object) -> str:
        return self.means.say(message, **values)

    def answer(self, status: Status, why: Why, message: str = "", **more: Any) -> Composition:
        step = Step("the engine's reading", f"{self.heard.intent}, {self.heard.action}, {self.heard.reason}")
        return Composition(
            status,
            why,
            message or self.say(str(why)),
            steps=(step,),
            language=self.language,
            tool_name=self.facts.name if self.facts else "",
            **more,
        )


def complete_call(request: Request, given: dict[str, Any], language: Language, means: Means) -> Composition:
    context = replace(request.context, language=language)
    heard = means.decider.decide(request.text, context)
    facts = means.catalogue.by_name.get(request.tool_name or means.catalogue.tool_of(heard.intent) or "")
    scene = _Scene(request, facts, context, heard, language, means)
    if facts is None:
        return scene.answer("failed", _REFUSALS.get(heard.reason, Why.NOT_A_REQUEST))
    refused = _refusal(scene, set(given))
    if refused:
        return refused
    found = heard_calls(heard, facts, means.catalogue)
    if len(found) > 1 and not given:
        return _several(found, scene)
    given = read_dates(given, facts, context, means)
    said = pick_matching(found, given)
    differing = find_contradiction(given, said, heard, facts)
    if differing:
        message = scene.say("contradiction", said=differing[0], given=differing[1])
        return scene.answer("needs_clarification", Why.CONTRADICTION, message, confidence=factor("several"))
    return _complete(given, said, scene)


def _complete(given: dict[str, Any], said: ToolCall | None, scene: _Scene) -> Composition:
    target_name = scene.tool.target
    arguments = [as_given(name, value, scene.request.text) for name, value in given.items() if name != target_name]
    if said is not None:
        arguments += [each for each in said.arguments if each.name != target_name and each.name not in given]
    ledger: list[Factor] = [Factor("the call and the words", factor("given"))]
    if target_name:
        target = _find_target(given, said, scene)
        unsure = target.confidence < scene.request.settings.threshold and len(target.options) > 1
        if target.task_id is None or unsure:
            return _ask_target(target, arguments, scene)
        arguments.insert(0, Argument(target_name, target.task_id, target.provenance))
        ledger.append(Factor(f"task: {target.how}", target.confidence, target.provenance.span, target.label))
    missing = find_missing(scene.tool, {argument.name for argument in arguments}, scene.means.catalogue)
    if missing:
        return _ask_for(missing, arguments, scene)
    return _settle(arguments, ledger, scene)


def _refusal(scene: _Scene, names: set[str]) -> Composition | None:
    heard, tool = scene.heard, scene.tool
    why = _REFUSALS.get(heard.reason)
    if why is None and heard.intent != tool.intent and tool.changes_something and not _amounts_to(scene):
        why = scene.means.speaks_against(scene.request.text)
    if why is not None:
        return scene.answer("failed", why)
    missing = find_missing(tool, names, scene.means.catalogue)
    complete = not missing and (not tool.target or tool.target in names)
    if heard.intent in (UNKNOWN, tool.intent) or complete or _amounts_to(scene):
        return None
    said, given = (scene.means.label_tool(intent) for intent in (heard.intent, tool.intent))
    message = scene.say("contradiction_tool", said=said, given=given)
    return scene.answer("failed", Why.CONTRADICTION, message)


def _amounts_to(scene: _Scene) -> bool:
    """Marking as done is settling, whichever of the two tools it is called by."""
    catalogue, tool = scene.means.catalogue, scene.tool
    meant = catalogue.by_intent.get(scene.heard.intent)
    if meant is None or {meant.effect, tool.effect} != {"finish", "change"}:
        return False
    status = meant.argument("status")
    return tool.effect == "change" or any(
        call.parameters.get(status) == catalogue.states[1] for call in scene.heard.calls
    )


def _find_target(given: dict[str, Any], said: ToolCall | None, scene: _Scene) -> Target:
    name = scene.tool.target
    search = Search(scene.tool, scene.heard, scene.request.text, scene.context, scene.means)
    target = find_target(given.get(name), search)
    other = said.parameters.get(name) if said is not None else None
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
        Suggestion(label_task(task), {scene.tool.target: task.id, **rest}, worth, scene.tool.name)
        for task, worth in target.options[:limit]
    )
    if not suggestions:
        return scene.answer("failed", Why.NO_TASK) if target.named else _ask_for(scene.tool.target, arguments, scene)
    one = len(suggestions) == 1
    why = Why.NOT_SURE_ENOUGH if one else Why.SEVERAL_TASKS
    return scene.answer(
        "needs_clarification",
        why,
        scene.say(str(why), label=suggestions[0].label),
        suggestions=suggestions,
        more=max(0, len(target.options) - limit),
        confidence=suggestions[0].confidence if one else factor("several"),
        partial=rest,
        asked_for=scene.tool.target,
    )


def _ask_for(argument: str, known: list[Argument], scene: _Scene) -> Composition:
    named = next((str(each.value) for each in known if each.name == scene.tool.target), "")
    task = scene.context.tasks.find_by_id(named) if named else None
    question = scene.means.ask_for(argument, scene.tool, task.title if task else "")
    message = scene.say("nothing_said", question=question)
    partial = {each.name: each.value for each in known}
    return scene.answer(
        "needs_clarification", Why.NOTHING_SAID, message, partial=partial, asked_for=argument, confidence=factor("none")
    )


def _settle(arguments: list[Argument], ledger: list[Factor], scene: _Scene) -> Composition:
    request, confidence = scene.request, min(each.amount for each in ledger)
    call = ComposedCall(ToolCall(scene.tool.name, tuple(arguments)), confidence, dict(request.arguments))
    if confidence >= request.settings.threshold:
        changed = call.call.parameters != dict(request.arguments)
        why = Why.ONE_WAY if changed else Why.NOTHING_MISSING
        message = scene.heard.message if changed else ""
        return scene.answer("completed", why, message, calls=(call,), confidence=confidence, ledger=tuple(ledger))
    label = ledger[-1].detail or scene.tool.name
    return scene.answer(
        "needs_clarification",
        Why.NOT_SURE_ENOUGH,
        scene.say("not_sure_enough", label=label),
        suggestions=(Suggestion(label, call.call.parameters, confidence, scene.tool.name),),
        confidence=confidence,
        ledger=tuple(ledger),
        partial=call.call.parameters,
        asked_for=scene.tool.target,
    )
