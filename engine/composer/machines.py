"""Calls about machines: from the words, the call and the conversation to one answer for the whole message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.composer.command_call import TOOL as COMMAND
from engine.composer.command_call import compose_command
from engine.composer.locating import Located, locate, locate_given, recall
from engine.composer.marks import Marked, mark_words
from engine.composer.mentions import Mention, find_mentions
from engine.composer.parts import Chosen, Part, Scene, ask_which, factor, refuse
from engine.composer.phrasing import label_action, say
from engine.composer.read_calls import compose_detail, compose_list, compose_metrics
from engine.composer.values import Composition, Hint, Request, Why
from engine.composer.wishes import Kind, Wish, are_opposite, find_wishes
from engine.decision import Language, Step
from engine.memory_fleet import MemoryFleet

TOOL_OF: dict[Kind, str] = {
    "command": COMMAND,
    "metrics": "metrics_read",
    "detail": "device_detail",
    "list": "machines_list",
}
_OR = ("or", "o", "oppure")
_SHOWN_HINTS = (
    "device", "serial", "misspelt", "described", "actions", "particle", "objects", "metrics", "details", "data",
    "number", "negations", "asks", "conditions", "later", "clock", "pronouns", "others", "all", "ordinals", "states",
    "reported", "unknown",
)  # fmt: skip


def compose_machines(request: Request, given: dict[str, object], language: Language) -> Composition:
    fleet = request.fleet or MemoryFleet()
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
    wishes = _as_answer(find_wishes(marked, mentions), request, scene)
    steps = [
        Step("words", ", ".join(f"{mark.kind}: {mark.meaning}" for mark in marked.marks if mark.kind in _SHOWN_HINTS)),
        Step("wishes", "; ".join(_describe(wish) for wish in wishes)),
    ]
    parts = _compose_all(wishes, request, scene)
    return _combine(parts, scene, steps)


def _describe(wish: Wish) -> str:
    refused = f" ({wish.refused})" if wish.refused else ""
    return f"{wish.kind} {wish.action} {wish.target}".strip() + refused


def _as_answer(wishes: list[Wish], request: Request, scene: Scene) -> list[Wish]:
    """A machine or a number alone answers the assistant's question: the request stands in the message before it."""
    history = request.history
    bare = all(wish.kind == "bare" and wish.refused is None for wish in wishes)
    asked = len(history) >= 2 and history[-1].role == "assistant" and history[-1].content.rstrip().endswith("?")
    earlier = next((message for message in reversed(history) if message.role == "user"), None)
    if not (bare and asked and earlier):
        return wishes
    said_before = mark_words(earlier.content, scene.fleet)
    before = [
        wish
        for wish in find_wishes(said_before, find_mentions(said_before, scene.fleet))
        if wish.kind in ("command", "metrics", "detail") and wish.refused is None
    ]
    mine = tuple(mention for wish in wishes for mention in wish.mentions)
    numbers = tuple(
        mark for wish in wishes for mark in wish.marks if mark.kind in ("number", "units", "minus", "ordinals")
    )
    if not before or not (mine or numbers):
        return wishes
    return [replace(wish, marks=numbers, mentions=mine, inherited=True) for wish in before]


def _compose_all(wishes: list[Wish], request: Request, scene: Scene) -> list[Part]:
    tool = request.tool_name
    if not len(scene.fleet) and tool != "machines_list":
        return [refuse(Why.NO_MACHINE, say(scene.language, "no_machines"))]
    chosen = _for_tool(wishes, tool, scene)
    if isinstance(chosen, Part):
        return [chosen]
    parts: list[Part] = []
    for wish in _spread(chosen, scene.marked):
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


def _for_tool(wishes: list[Wish], tool: str | None, scene: Scene) -> list[Wish] | Part:
    """Those wishes that the call may serve; a refusal where the words and the call are two things."""
    language = scene.language
    commands = [wish for wish in wishes if wish.kind == "command"]
    wanted = [wish for wish in commands if wish.refused is None]
    readings = [wish for wish in wishes if wish.kind in ("metrics", "detail", "list")]
    refused = next((wish.refused for wish in wishes if wish.refused), None)
    if tool is None:
        open_wishes = [wish for wish in wishes if wish.refused is None]
        if not open_wishes:
            return refuse(refused or Why.NOT_A_REQUEST, say(language, str(refused or Why.NOT_A_REQUEST)))
        if len(open_wishes) == 1 and open_wishes[0].kind == "bare" and not open_wishes[0].mentions:
            return refuse(Why.NOT_A_REQUEST, say(language, "not_about_machines"))
        return _no_opposites(open_wishes, scene)
    if refused and not wanted and not [wish for wish in readings if wish.refused is None]:
        return refuse(refused, say(language, str(refused)))
    if tool == COMMAND:
        if wanted:
            single = "machine_command_id" in scene.given or "command_name" in scene.given
            return _no_opposites(wanted[:1] if single else wanted + ([] if single else _asked_too(readings)), scene)
        if readings:
            return refuse(Why.QUESTION, say(language, "question"))
        return [replace(wishes[0], kind="command") if wishes else Wish("command", ())]
    if wanted and not readings:
        said = label_action(wanted[0].action, wanted[0].target, language)
        message = say(language, "contradiction_tool", said=said, given=tool)
        return refuse(Why.CONTRADICTION, message)
    kind = next(kind for kind, name in TOOL_OF.items() if name == tool)
    mine = [wish for wish in readings if wish.kind == kind]
    if mine:
        return mine + [wish for wish in readings if wish.kind != kind and wish.kind != "list"]
    base = readings[0] if readings else wishes[0] if wishes else Wish("bare", ())
    return [replace(base, kind=kind, target="")]


def _asked_too(readings: list[Wish]) -> list[Wish]:
    return [wish for wish in readings if wish.kind != "list"]


def _no_opposites(wishes: list[Wish], scene: Scene) -> list[Wish] | Part:
    """ "turn the light on and off": whatever is meant, it is not both."""
    for place, wish in enumerate(wishes):
        for other in wishes[place + 1 :]:
            same = wish.target == other.target and wish.mentions == other.mentions
            if wish.kind == other.kind == "command" and same and are_opposite(wish.action, other.action):
                one, two = (label_action(each.action, each.target, scene.language) for each in (wish, other))
                message = say(scene.language, "contradiction", said=one, given=two)
                return Part("needs_clarification", Why.CONTRADICTION, message, confidence=factor("several"))
    return wishes


def _spread(wishes: Sequence[Wish], marked: Marked) -> list[Wish]:
    """A wish for two machines is two wishes; for one "or" the other it stays one, to be asked about."""
    spread: list[Wish] = []
    for wish in wishes:
        if len(wish.mentions) < 2 or wish.kind == "list":
            spread.append(wish)
        elif _has_or(wish.mentions, marked):
            spread.append(replace(wish, mentions=(_either(wish.mentions),)))
        else:
            spread += [replace(wish, mentions=(mention,)) for mention in wish.mentions]
    return spread


def _has_or(mentions: Sequence[Mention], marked: Marked) -> bool:
    first, last = mentions[0].last, mentions[-1].first
    return any(mark.kind == "joins" and mark.meaning in _OR and first <= mark.first < last for mark in marked.marks)


def _either(mentions: Sequence[Mention]) -> Mention:
    group = 0
    for mention in mentions:
        group |= mention.group
    return Mention(tuple(mark for mention in mentions for mark in mention.marks), mentions[0].level, group)


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
    kept: list[Part] = []
    for part in parts:
        same = part.call is not None and any(other.call and other.call.call == part.call.call for other in kept)
        if not same:
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
    )
