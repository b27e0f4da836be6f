"""From a message to calls: a new request, or the answer to the question that waits. Pure: nothing is run or kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from assistant.machine_values import Asked, Composed, Waiting
from domains.composing import compose
from domains.machines.answers import read_answer
from domains.machines.composing.phrasing import say
from domains.machines.memory_fleet import MemoryFleet, find_command
from engine.completing.values import (
    ComposedCall,
    ComposerSettings,
    Composition,
    Request,
    Suggestion,
    Why,
)
from engine.decision import Language, Learned, Message
from engine.values import Argument, Provenance, ToolCall

_NUMBER = re.compile(r"\d")
_MOST_ANSWER_WORDS = 6
_MACHINE_QUESTIONS = (Why.SEVERAL_MACHINES, Why.BATCH, Why.NOT_SURE_ENOUGH)
"""The answer names a machine, and settles every part of the request that was about it."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything from outside that a message is read with."""

    fleet: MemoryFleet
    history: tuple[Message, ...]
    learned: tuple[Learned, ...]
    settings: ComposerSettings


def compose_message(text: str, waiting: Waiting | None, scene: Scene) -> Composed:
    """What the message means here and now; a new request instead of an answer is heard as one."""
    if waiting is not None:
        labels = [suggestion.label for suggestion in waiting.composition.suggestions]
        answer = read_answer(text, labels)
        if answer is not None and answer.place is None:
            return Composed(waiting.asked, replace(waiting.composition, status="failed", calls=()), cancelled=True)
        if answer is not None and answer.place is not None:
            return compose_choice(waiting, waiting.composition.suggestions[answer.place], scene)
        if waiting.composition.why is Why.NO_VALUE_SAID and _looks_like_a_value(text):
            asked = replace(waiting.asked, text=f"{waiting.asked.text} {text}")
            return Composed(asked, _by_answer(_compose(asked, scene), waiting))
    asked = Asked(text)
    return Composed(asked, _compose(asked, scene))


def compose_choice(waiting: Waiting, chosen: Suggestion, scene: Scene) -> Composed:
    """The waiting request, completed by what the user chose; or the next question, where something is still missing."""
    before, device = waiting.composition, str(chosen.value.get("device_id", ""))
    if device and scene.fleet.find_by_id(device) is None:
        return Composed(waiting.asked, _gone(before, chosen))
    learned = (before.choice_key, device) if before.choice_key and device else None
    if before.why in _MACHINE_QUESTIONS and not before.calls:
        asked = Asked(waiting.asked.text, None, {"device_id": device})
    else:
        asked = Asked(waiting.asked.text, chosen.tool_name, chosen.value)
    composed = _compose(asked, scene)
    if composed.status == "completed" and not before.calls:
        calls = tuple(_with_answer(call, chosen) for call in composed.calls)
        return Composed(asked, replace(composed, calls=calls), learned)
    if _is_complete(chosen, scene.fleet):
        return Composed(asked, _take(before, chosen), learned)
    return Composed(asked, composed, learned)


def compose_suggestion(suggestion: Suggestion, language: Language, scene: Scene) -> Composed:
    """An action that was offered in this language and is now asked for, with a click."""
    asked = Asked(suggestion.label, suggestion.tool_name, suggestion.value)
    if _is_complete(suggestion, scene.fleet):
        return Composed(asked, _take(Composition("completed", Why.NOTHING_MISSING, language=language), suggestion))
    composed = _compose(asked, scene, language)
    return Composed(asked, replace(composed, calls=tuple(_with_answer(call, suggestion) for call in composed.calls)))


def _gone(before: Composition, chosen: Suggestion) -> Composition:
    """The machine was there when the question was asked. Another one in its place is not what was chosen."""
    message = say(before.language, "no_machine", said=chosen.label)
    return replace(before, status="failed", why=Why.NO_MACHINE, message=message, calls=(), suggestions=(), more=0)


def _compose(asked: Asked, scene: Scene, language: Language | None = None) -> Composition:
    """A device that was chosen is all there is: "temperature and humidity" is then asked of this one machine."""
    device = asked.arguments.get("device_id")
    machine = scene.fleet.find_by_id(str(device)) if device else None
    fleet, settings = scene.fleet, scene.settings
    if machine is not None:
        fleet, settings = MemoryFleet((machine,)), replace(settings, threshold=0.0)
    return compose(
        Request(
            asked.text,
            asked.tool_name,
            asked.arguments if asked.tool_name else {},
            fleet,
            scene.history,
            learned=scene.learned,
            language=language,
            settings=settings,
        )
    )


def _take(before: Composition, chosen: Suggestion) -> Composition:
    """The suggestion as it is, beside what was complete already."""
    call = ToolCall(chosen.tool_name, tuple(_answered(name, value, chosen) for name, value in chosen.value.items()))
    confidence = min((1.0, *(each.confidence for each in before.calls)))
    composed = ComposedCall(call, 1.0, {})
    why = Why.NOTHING_MISSING if before.why is Why.NOTHING_MISSING else Why.ONE_WAY
    return replace(
        before,
        status="completed",
        why=why,
        calls=(*before.calls, composed),
        suggestions=(),
        more=0,
        confidence=confidence,
        ledger=(),
        choice_key="",
    )


def _with_answer(composed: ComposedCall, chosen: Suggestion) -> ComposedCall:
    """What the user chose comes from their answer; what else the call needs comes from where it came."""
    named = {"device_id"} if chosen.value.get("device_id") else set()
    named |= {name for name in chosen.value if name == "machine_command_id" and chosen.tool_name}
    arguments = tuple(
        _answered(each.name, each.value, chosen)
        if each.name in named and each.value == chosen.value.get(each.name) and _is_open(each)
        else each
        for each in composed.call.arguments
    )
    return replace(composed, call=ToolCall(composed.call.tool_name, arguments), before={})


def _is_open(argument: Argument) -> bool:
    """A value that only the choice settled: not said in the words themselves."""
    return argument.name == "device_id" or argument.provenance.source in ("llm", "store")


def _answered(name: str, value: object, chosen: Suggestion) -> Argument:
    return Argument(name, value, Provenance("answer", detail=f"chosen: {chosen.label}"))


def _by_answer(composition: Composition, waiting: Waiting) -> Composition:
    """What stands in the words of the answer came from it, and what was chosen before from that choice."""
    calls = tuple(
        replace(each, call=ToolCall(each.call.tool_name, tuple(_told(one, waiting) for one in each.call.arguments)))
        for each in composition.calls
    )
    return replace(composition, calls=calls)


def _told(argument: Argument, waiting: Waiting) -> Argument:
    span = argument.provenance.span
    if span and span.start >= len(waiting.asked.text):
        return replace(argument, provenance=Provenance("answer", span, "said when asked"))
    if argument.name in waiting.asked.arguments and argument.value == waiting.asked.arguments[argument.name]:
        return replace(argument, provenance=Provenance("answer", detail="chosen before"))
    return argument


def _looks_like_a_value(text: str) -> bool:
    return bool(_NUMBER.search(text)) and len(text.split()) <= _MOST_ANSWER_WORDS


def _is_complete(suggestion: Suggestion, fleet: MemoryFleet) -> bool:
    """Whether the tool would take the call as it is."""
    value: Mapping[str, object] = suggestion.value
    if suggestion.tool_name != "machine_command_execute":
        return bool(suggestion.tool_name)
    machine = fleet.find_by_id(str(value.get("device_id", "")))
    named = str(value.get("machine_command_id") or value.get("command_name") or "")
    command = find_command(machine, named) if machine and named else None
    return command is not None and (command.value is None or "value" in value)
