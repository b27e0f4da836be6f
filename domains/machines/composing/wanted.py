"""Which wishes a call may serve: those of its tool, without contradictions, one machine each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from domains.machines.composing.command_questions import TOOL as COMMAND
from domains.machines.composing.commands import find_commands
from domains.machines.composing.lexicon import load_lexicon
from domains.machines.composing.locating import refers_back
from domains.machines.composing.marking import mark_words
from domains.machines.composing.marks import Marked
from domains.machines.composing.mentions import Mention, find_mentions
from domains.machines.composing.parts import Part, Scene, refuse
from domains.machines.composing.phrasing import label_action, label_tool, say
from domains.machines.composing.wishes import Kind, Wish, are_opposite, find_wishes
from engine.completing.values import Request, Why
from engine.completing.worth import factor

TOOL_OF: dict[Kind, str] = {
    "command": COMMAND,
    "metrics": "metrics_read",
    "detail": "device_detail",
    "list": "machines_list",
}


def read_as_answer(wishes: list[Wish], request: Request, scene: Scene) -> list[Wish]:
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


def recall_objects(wishes: list[Wish], request: Request, scene: Scene) -> list[Wish]:
    """ "turn it off again": after "turn on the light", it is the light that goes off, not the machine."""
    earlier = next((message for message in reversed(request.history) if message.role == "user"), None)
    pointing = [
        wish for wish in wishes if wish.kind == "command" and not wish.target and refers_back(wish, scene.marked)
    ]
    if earlier is None or not pointing:
        return wishes
    said_before = mark_words(earlier.content, scene.fleet)
    before = find_wishes(said_before, find_mentions(said_before, scene.fleet))
    return [_with_object(wish, before, scene) if wish in pointing else wish for wish in wishes]


def _with_object(wish: Wish, before: Sequence[Wish], scene: Scene) -> Wish:
    for other in before:
        undone = other.kind == "command" and other.target and are_opposite(wish.action, other.action)
        if undone and find_commands(wish.action, other.target, scene.fleet).ranks:
            return replace(wish, target=other.target, recalled=True)
    return wish


def pick_for_tool(wishes: list[Wish], tool: str | None, scene: Scene) -> list[Wish] | Part:
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
        message = say(language, "contradiction_tool", said=said, given=label_tool(tool, language))
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


def spread_machines(wishes: Sequence[Wish], marked: Marked) -> list[Wish]:
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
    first, last, either = mentions[0].last, mentions[-1].first, load_lexicon().sets["or"]
    return any(mark.kind == "joins" and mark.meaning in either and first <= mark.first < last for mark in marked.marks)


def _either(mentions: Sequence[Mention]) -> Mention:
    group = 0
    for mention in mentions:
        group |= mention.group
    return Mention(tuple(mark for mention in mentions for mark in mention.marks), mentions[0].level, group)
