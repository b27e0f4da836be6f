"""From a message to calls: a new request, or the answer to the question that waits. Pure: nothing is run or kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from domains.composing import compose, read_language
from domains.machines.answers import read_answer
from domains.machines.composing.phrasing import say
from domains.machines.memory_fleet import MemoryFleet, find_command
from engine.completing.values import ComposedCall, ComposerSettings, Composition, Request, Why
from engine.decision import Choice, Context, Language, Pending
from engine.text.folding import fold
from engine.values import Argument, Provenance, ToolCall, each_once

_NUMBER = re.compile(r"\d")
_MOST_ANSWER_WORDS = 6
MACHINE = "device_id"
COMMAND = "machine_command_id"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the composer was asked: the words, and what is known already."""

    text: str
    tool_name: str | None = None
    arguments: Mapping[str, object] = field(default_factory=dict)
    """Without a tool: at most the device that the user has chosen."""


@dataclass(frozen=True, slots=True)
class Composed:
    """What was made of a message, and what the user chose on the way there."""

    asked: Asked
    composition: Composition
    answered: bool = False
    """Whether the message answered the question, or took up what was offered."""
    cancelled: bool = False
    taught: tuple[str, str] | None = None
    """Under which key which machine was chosen."""


@dataclass(frozen=True, slots=True)
class AskingScene:
    """Everything from outside that a message is read with."""

    fleet: MemoryFleet
    context: Context
    settings: ComposerSettings


def compose_message(text: str, scene: AskingScene) -> Composed:
    """What the message means here and now; a new request instead of an answer is heard as one."""
    pending = scene.context.pending
    if pending is not None:
        answered = _compose_answer(text, pending, scene)
        if answered is not None:
            return answered
    offered = next((each for each in scene.context.offered if fold(each.label) == fold(text)), None)
    if offered is not None:
        return _compose_offered(offered, scene)
    asked = Asked(text)
    return Composed(asked, _compose(asked, scene))


def _compose_answer(text: str, pending: Pending, scene: AskingScene) -> Composed | None:
    labels = [choice.label for choice in pending.choices] or ([pending.question] if pending.kind == "confirm" else [])
    answer = read_answer(text, labels)
    if answer is not None and answer.place is None:
        language = _language_of(pending, scene)
        cancelled = Composition("failed", Why.NOT_A_REQUEST, language=language)
        return Composed(Asked(pending.text), cancelled, answered=True, cancelled=True)
    if answer is not None and answer.place is not None:
        if not pending.choices:
            return _confirmed(pending, scene)
        return _compose_choice(pending, pending.choices[answer.place], scene)
    if pending.parameter == "value" and _looks_like_a_value(text):
        asked = replace(_waiting(pending), text=f"{pending.text} {text}".strip())
        return Composed(asked, _by_answer(_compose(asked, scene), pending), answered=True)
    return None


def _confirmed(pending: Pending, scene: AskingScene) -> Composed:
    """A yes to a call that was complete."""
    calls = tuple(ComposedCall(call, 1.0) for call in each_once((pending.call, *pending.then)))
    language = _language_of(pending, scene)
    composition = Composition("completed", Why.ONE_WAY, "", calls, confidence=1.0, language=language)
    return Composed(Asked(pending.text), composition, answered=True)


def _compose_choice(pending: Pending, chosen: Choice, scene: AskingScene) -> Composed:
    """The waiting request, completed by what the user chose; or the next question, where something is still missing."""
    device = str(chosen.arguments.get(MACHINE, ""))
    if device and scene.fleet.find_by_id(device) is None:
        return Composed(Asked(pending.text), _gone(pending, chosen, scene), answered=True)
    taught = (pending.learns, device) if pending.learns and device else None
    # The answer names a machine: that settles every part of the request that was about it.
    if pending.parameter == MACHINE and not pending.then:
        asked = Asked(pending.text, None, {MACHINE: device})
    else:
        asked = Asked(pending.text, chosen.tool_name, chosen.arguments)
    composed = _compose(asked, scene)
    if composed.status == "completed" and not pending.then:
        calls = tuple(_with_answer(call, chosen) for call in composed.calls)
        return Composed(asked, replace(composed, calls=calls), answered=True, taught=taught)
    if _is_complete(chosen, scene.fleet):
        taken = _take(chosen, pending.then, _language_of(pending, scene))
        return Composed(asked, taken, answered=True, taught=taught)
    return Composed(asked, composed, answered=True, taught=taught)


def _compose_offered(offered: Choice, scene: AskingScene) -> Composed:
    """What was offered after the last turn, in its language, and is now asked for."""
    asked = Asked(offered.label, offered.tool_name, offered.arguments)
    language = read_language(_request(asked, scene))
    if _is_complete(offered, scene.fleet):
        return Composed(asked, _take(offered, (), language), answered=True)
    composed = _compose(asked, scene)
    calls = tuple(_with_answer(call, offered) for call in composed.calls)
    return Composed(asked, replace(composed, calls=calls), answered=True)


def _waiting(pending: Pending) -> Asked:
    """The request as it was asked; what the user chose on the way is known."""
    chosen = {each.name: each.value for each in pending.call.arguments if each.provenance.source == "answer"}
    tool_name = pending.call.tool_name if set(chosen) - {MACHINE} else None
    return Asked(pending.text, tool_name, chosen)


def _language_of(pending: Pending, scene: AskingScene) -> Language:
    return read_language(_request(Asked(pending.text), scene))


def _gone(pending: Pending, chosen: Choice, scene: AskingScene) -> Composition:
    """The machine was there when the question was asked. Another one in its place is not what was chosen."""
    language = _language_of(pending, scene)
    message = say(language, "no_machine", said=chosen.label)
    return Composition("failed", Why.NO_MACHINE, message, language=language)


def _compose(asked: Asked, scene: AskingScene) -> Composition:
    return compose(_request(asked, scene))


def _request(asked: Asked, scene: AskingScene) -> Request:
    """A device that was chosen is all there is: "temperature and humidity" is then asked of this one machine."""
    device = asked.arguments.get(MACHINE)
    machine = scene.fleet.find_by_id(str(device)) if device else None
    fleet, settings = scene.fleet, scene.settings
    if machine is not None:
        fleet, settings = MemoryFleet((machine,)), replace(settings, threshold=0.0)
    return Request(
        asked.text,
        asked.tool_name,
        asked.arguments if asked.tool_name else {},
        fleet,
        scene.context.history,
        learned=scene.context.learned,
        language=scene.context.language,
        settings=settings,
    )


def _take(chosen: Choice, before: tuple[ToolCall, ...], language: Language) -> Composition:
    """The choice as it is, beside what was complete already."""
    call = ToolCall(chosen.tool_name, tuple(_answered(name, value, chosen) for name, value in chosen.arguments.items()))
    calls = tuple(ComposedCall(each, 1.0) for each in each_once((*before, call)))
    return Composition("completed", Why.ONE_WAY, "", calls, confidence=1.0, language=language)


def _with_answer(composed: ComposedCall, chosen: Choice) -> ComposedCall:
    """What the user chose comes from their answer; what else the call needs comes from where it came."""
    named = {MACHINE} if chosen.arguments.get(MACHINE) else set()
    named |= {name for name in chosen.arguments if name == COMMAND and chosen.tool_name}
    arguments = tuple(
        _answered(each.name, each.value, chosen)
        if each.name in named and each.value == chosen.arguments.get(each.name) and _is_open(each)
        else each
        for each in composed.call.arguments
    )
    return replace(composed, call=ToolCall(composed.call.tool_name, arguments), before={})


def _is_open(argument: Argument) -> bool:
    """A value that only the choice settled: not said in the words themselves."""
    return argument.name == MACHINE or argument.provenance.source in ("llm", "store")


def _answered(name: str, value: object, chosen: Choice) -> Argument:
    return Argument(name, value, Provenance("answer", detail=f"chosen: {chosen.label}"))


def _by_answer(composition: Composition, pending: Pending) -> Composition:
    """What stands in the words of the answer came from it, and what was chosen before from that choice."""
    calls = tuple(
        replace(each, call=ToolCall(each.call.tool_name, tuple(_told(one, pending) for one in each.call.arguments)))
        for each in composition.calls
    )
    return replace(composition, calls=calls)


def _told(argument: Argument, pending: Pending) -> Argument:
    """Its place is in the answer, not in the request and the answer together."""
    span, waiting = argument.provenance.span, _waiting(pending)
    if span and span.start >= len(pending.text):
        return replace(argument, provenance=Provenance("answer", None, "said when asked"))
    if argument.name in waiting.arguments and argument.value == waiting.arguments[argument.name]:
        return replace(argument, provenance=Provenance("answer", detail="chosen before"))
    return argument


def _looks_like_a_value(text: str) -> bool:
    return bool(_NUMBER.search(text)) and len(text.split()) <= _MOST_ANSWER_WORDS


def _is_complete(choice: Choice, fleet: MemoryFleet) -> bool:
    """Whether the tool would take the call as it is."""
    value = choice.arguments
    if choice.tool_name != "machine_command_execute":
        return bool(choice.tool_name)
    machine = fleet.find_by_id(str(value.get(MACHINE, "")))
    named = str(value.get(COMMAND) or value.get("command_name") or "")
    command = find_command(machine, named) if machine and named else None
    return command is not None and (command.value is None or "value" in value)
