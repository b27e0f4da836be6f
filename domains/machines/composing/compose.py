"""Calls about machines: from the words, the call and the conversation to one answer for the whole message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from domains.machines.composing.command_call import compose_command
from domains.machines.composing.command_questions import TOOL as COMMAND
from domains.machines.composing.locating import Located, locate, locate_given, recall
from domains.machines.composing.marking import mark_words
from domains.machines.composing.mentions import find_mentions
from domains.machines.composing.parts import Chosen, Part, Scene, ask_which, refuse
from domains.machines.composing.phrasing import say
from domains.machines.composing.read_calls import compose_detail, compose_list, compose_metrics
from domains.machines.composing.refusals import find_guarded
from domains.machines.composing.wanted import TOOL_OF, pick_for_tool, read_as_answer, recall_objects, spread_machines
from domains.machines.composing.wishes import Kind, Wish, find_wishes
from domains.machines.in_force import load_policies
from domains.machines.memory_fleet import MemoryFleet
from engine.completing.values import Composition, Hint, Request, Why
from engine.completing.worth import factor
from engine.decision import Language, Step

_SHOWN_HINTS = (
    "device", "serial", "misspelt", "described", "actions", "particle", "objects", "metrics", "details", "data",
    "number", "negations", "asks", "conditions", "later", "clock", "pronouns", "others", "all", "ordinals", "states",
    "reported", "unknown",
)  # fmt: skip


def compose_machines(request: Request, given: dict[str, object], language: Language) -> Composition:
    fleet = request.fleet if isinstance(request.fleet, MemoryFleet) else MemoryFleet()
    marked = mark_words(request.text, fleet)
    mentions = find_mentions(marked, fleet)
    recalled = recall(request.history, fleet)
    scene = Scene(
        fleet,
        marked,
        recalled,
        language,
        request.settings,
        request.learned,
        request.tool_name,
        given,
        dict(request.arguments),
    )
    wishes = recall_objects(read_as_answer(find_wishes(marked, mentions), request, scene), request, scene)
    wishes = _without_guarded(wishes, scene)
    steps = [
        Step("words", ", ".join(f"{mark.kind}: {mark.meaning}" for mark in marked.marks if mark.kind in _SHOWN_HINTS)),
        Step("wishes", "; ".join(_describe(wish) for wish in wishes)),
    ]
    parts = _compose_all(wishes, request, scene)
    composition = _combine(parts, scene, steps)
    return replace(composition, read_as=request.tool_name or TOOL_OF.get(wishes[0].kind, "") if wishes else "")


def _without_guarded(wishes: list[Wish], scene: Scene) -> list[Wish]:
    """A guard speaks against every command of the message; what is asked may be told, but "it went on" asks nothing."""
    why = find_guarded(scene.marked, load_policies()[scene.language])
    reports = why is Why.NOT_A_REQUEST and not scene.marked.utterance.text.rstrip().endswith("?")
    guarded = ("command", "bare", "detail") if reports else ("command", "bare")
    return [replace(wish, refused=why) if why and wish.kind in guarded else wish for wish in wishes]


def _describe(wish: Wish) -> str:
    refused = f" ({wish.refused})" if wish.refused else ""
    return f"{wish.kind} {wish.action} {wish.target}".strip() + refused


def _compose_all(wishes: list[Wish], request: Request, scene: Scene) -> list[Part]:
    tool = request.tool_name
    if not len(scene.fleet) and tool != "machines_list":
        return [refuse(Why.NO_MACHINE, say(scene.language, "no_machines"))]
    chosen = pick_for_tool(wishes, tool, scene)
    if isinstance(chosen, Part):
        return [chosen]
    parts: list[Part] = []
    for wish in spread_machines(chosen, scene.marked):
        here = scene if not parts or _takes_given(wish, tool) else replace(scene, given={})
        part = _compose_one(wish, here)
        if wish.inherited and wish.mentions and part.why in (Why.NO_COMMAND, Why.NO_METRIC):
            # The machine was named for another part of the sentence, and is not meant here.
            part = _compose_one(replace(wish, mentions=()), here)
        added = tool is not None and part.call is not None and TOOL_OF.get(wish.kind, tool) != tool
        if part.call is not None and (added or parts):
            part = replace(part, call=replace(part.call, added=added or bool(parts)))
        parts.append(part)
    return _without_repeats(parts)


def _takes_given(wish: Wish, tool: str | None) -> bool:
    return TOOL_OF.get(wish.kind) == tool


_COMPOSERS: dict[Kind, Callable[[Wish, Located, Scene], Part]] = {
    "command": compose_command,
    "bare": compose_command,
    "metrics": compose_metrics,
    "detail": compose_detail,
}


def _compose_one(wish: Wish, scene: Scene) -> Part:
    if wish.kind == "list":
        return compose_list(wish, scene)
    mention = wish.mentions[0] if wish.mentions else None
    said = locate(wish, mention, scene.marked, scene.recalled, scene.fleet)
    given = locate_given(scene.given, scene.fleet)
    if given is not None:
        if mention is not None and said.problem is None and not said.group & given.group:
            return _two_machines(said, given, scene)
        located = given
    elif {"device_id", "device_name"} & set(scene.given) and mention is None:
        # The call names a machine that is not there, and the words do not help.
        named = str(scene.given.get("device_name") or scene.given.get("device_id"))
        return refuse(Why.NO_MACHINE, say(scene.language, "no_machine", said=named))
    else:
        located = said
    if located.problem is not None:
        return refuse(located.problem, say(scene.language, str(located.problem), said=located.said))
    return _COMPOSERS[wish.kind](wish, located, scene)


def _two_machines(said: Located, given: Located, scene: Scene) -> Part:
    both = said.group | given.group
    shown = scene.fleet.pick(both, scene.settings.max_suggestions)
    chosen = Chosen(shown, both.bit_count(), factor("several"), said.provenance, said.level)
    name = scene.fleet.pick(given.group, 1)[0].name
    message = say(scene.language, "contradiction", said=said.said, given=name)
    return ask_which(chosen, COMMAND, {}, Why.CONTRADICTION, message, scene)


def _without_repeats(parts: list[Part]) -> list[Part]:
    """A call that two parts of the message come to is made once, and not asked about where one of them is sure of it:
    "turn on, turn on the light"."""
    sure = [part.call.call.asked for part in parts if part.call]
    kept: list[Part] = []
    for part in parts:
        if part.call:
            if all(not other.call or other.call.call.asked != part.call.call.asked for other in kept):
                kept.append(part)
        elif not part.offer or part.offer.asked not in sure:
            kept.append(part)
    return kept


def _combine(parts: list[Part], scene: Scene, steps: list[Step]) -> Composition:
    """Complete only if every part is: half of a request is not what was asked for."""
    failed = next((part for part in parts if part.status == "failed"), None)
    asking = next((part for part in parts if part.status == "needs_clarification"), None)
    shown = failed or asking or parts[0]
    calls = tuple(part.call for part in parts if part.call is not None) if failed is None else ()
    message = shown.message
    why = shown.why
    if shown.status == "completed":
        learned = next((part for part in parts if part.why is Why.LEARNED), None)
        why = learned.why if learned else why
        message = say(scene.language, "one_way", calls="; ".join(part.message for part in parts if part.message))
    hints = tuple(
        Hint(mark.kind, mark.meaning, scene.marked.span(mark.first, mark.last))
        for mark in scene.marked.marks
        if mark.kind in _SHOWN_HINTS
    )
    steps.append(
        Step("candidates", "; ".join(f"{each.label} ({each.level})" for each in shown.candidates[:8]) or "none")
    )
    steps.append(Step("decision", f"{shown.status}: {why}"))
    return Composition(
        status=shown.status,
        why=why,
        message=message if message.strip(".") else "",
        calls=calls,
        suggestions=shown.suggestions,
        more=shown.more,
        confidence=min((part.confidence for part in parts), default=0.0),
        ledger=tuple(each for part in parts for each in part.ledger) if shown.status == "completed" else shown.ledger,
        hints=hints,
        candidates=shown.candidates,
        steps=tuple(steps),
        choice_key=shown.choice_key,
        language=scene.language,
        settled=shown.settled,
        offer=shown.offer,
    )
