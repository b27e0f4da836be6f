"""Messages about machines that need what went before: "it", one of several, a number, a yes, taking back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.decision import Choice, Context, Message, Pending
from engine.values import ToolCall, make_call
from llm.tool_list import REDO, UNDO
from training.adapter.machines.fleets import Fleet, Known, make_fleet
from training.adapter.machines.mentions import Mention, mention
from training.adapter.machines.single import COMMAND, DETAIL, LIST, READ, SINGLE, Said, no_call, tell, value_of
from training.adapter.machines.voice import Voice, after, bare, load_machine_words
from training.adapter.speaker import Speaker

Talk = tuple[Fleet, Said, Context, str]
"""What a message is said amid, and the reply where it asks for no call."""
_CHANGE, _ASKED, _ID = "run_command", "?", "machine_command_id"


def _did(known: Known, what: str, value: float | None = None) -> Message:
    given: dict[str, Any] = {"device_id": known.id, _ID: known.told[what].id}
    if value is not None:
        given["value"] = value
    return Message("assistant", "OK.", (known.id,), (make_call(COMMAND, given, "conversation"),))


def _after_command(voice: Voice, fleet: Fleet, known: Known) -> tuple[Message, Message, str]:
    """Something was told to a machine just now; and what."""
    what = voice.choice(sorted(known.told))
    found = mention(voice, fleet, known)
    said = tell(voice, known, what, Mention(found.said, known))
    value = said.calls[0][1].get("value")
    return Message("user", voice.dress(said.text)), _did(known, what, value), what


def _after_reading(voice: Voice, fleet: Fleet, known: Known) -> tuple[Message, Message]:
    tool = voice.choice((READ, DETAIL))
    sentence = voice.pick("detail" if tool == DETAIL else "read_all")
    asked = voice.dress(voice.fill(sentence, mention(voice, fleet, known).said))
    call = make_call(tool, {"device_id": known.id}, "conversation")
    return Message("user", asked), Message("assistant", "OK.", (known.id,), (call,))


def _amid(voice: Voice, fleet: Fleet, known: Known) -> Context:
    said = _after_command(voice, fleet, known)[:2] if voice.chance(0.6) else _after_reading(voice, fleet, known)
    thanks = (Message("user", voice.pick("chat")), Message("assistant", "OK.")) if voice.chance(0.12) else ()
    return fleet.context(voice.language, *said, *thanks)


def pointing(voice: Voice, speaker: Speaker) -> Talk:
    """ "turn it off again": the machine that was spoken of last."""
    fleet = make_fleet(voice)
    known = voice.choice(fleet.known)
    context, clitics = _amid(voice, fleet, known), voice.words.get("clitics", {})
    it = Mention(voice.pick("pronouns"), known)
    if voice.chance(0.3):
        metric = voice.choice([each.name for each in known.machine.metrics])
        sentence = voice.choice(
            [each for each in voice.words["metrics"][metric] if "{" in each.split("[")[0]] or ["{the}?"]
        )
        said = Said(voice.dress(voice.fill(sentence, it.said)), ((READ, {"device_name": known, "metrics": [metric]}),))
        return fleet, said, context, ""
    what = voice.choice(sorted(known.told))
    if what in clitics and voice.chance(0.7):
        limits = known.told[what].value
        slots: dict[str, object] = {}
        given: dict[str, Any] = {"device_name": known, "command_name": known.told[what].name}
        if limits:
            slots, given["value"] = value_of(voice, limits.unit, int(limits.minimum), int(limits.maximum))
        return (
            fleet,
            Said(voice.dress(voice.fill(voice.choice(clitics[what]), None, **slots)), ((COMMAND, given),)),
            context,
            "",
        )
    sentence_said = tell(voice, known, what, it)
    return fleet, Said(voice.dress(sentence_said.text), sentence_said.calls), context, ""


def going_on(voice: Voice, speaker: Speaker) -> Talk:
    """ "and the oven, too": what was told to one machine is told to another."""
    while True:
        fleet = make_fleet(voice)
        known = voice.choice(fleet.known)
        asked, done, what = _after_command(voice, fleet, known)
        others = [other for other in fleet.known if other is not known and what in other.told]
        if others:
            break
    other = voice.choice(others)
    found = mention(voice, fleet, other)
    given: dict[str, Any] = {"device_name": other} if found.target else {}
    given["command_name"] = other.told[what].name
    value = done.calls[0].parameters.get("value")
    if value is not None:
        given["value"] = value
    text = voice.dress(voice.fill(voice.pick("again"), found.said))
    return fleet, Said(text, ((COMMAND, given),)), fleet.context(voice.language, asked, done), ""


def choosing(voice: Voice, speaker: Speaker) -> Talk:
    """An answer to "which one?"."""
    while True:
        fleet = make_fleet(
            voice, tuple([voice.choice(("fridge", "lamp", "mixer", "oven", "pump", "freezer", "fan"))] * 2)
        )
        kind = fleet.known[0].kind
        offered = [known for known in fleet.known if known.kind == kind][:4]
        if len(offered) > 1:
            break
    what = voice.choice(sorted(offered[0].told))
    said = tell(voice, offered[0], what, Mention(_of_kind(voice, kind), None))
    choices = tuple(
        Choice(known.machine.name, COMMAND, {"device_id": known.id, _ID: known.told[what].id}) for known in offered
    )
    pending = Pending("choose", _CHANGE, ToolCall(COMMAND), "device_id", (), _ASKED, choices=choices)
    context = fleet.context(
        voice.language, Message("user", voice.dress(said.text)), Message("assistant", _ASKED), pending=pending
    )
    if voice.chance(0.12):
        return fleet, Said(voice.dress(voice.pick("refuse"))), context, voice.words["replies"]["no"]
    known = voice.choice(offered)
    given = {**said.calls[0][1], "device_name": known, "command_name": known.told[what].name}
    order = {name: given[name] for name in ("device_name", "command_name", "value") if name in given}
    return fleet, Said(voice.dress(_answer(voice, fleet, known, offered)), ((COMMAND, order),)), context, ""


def _of_kind(voice: Voice, kind: str) -> str:
    words = voice.choice(voice.words["kinds"][kind])
    return f"the {words}" if voice.language == "en" else words


def _answer(voice: Voice, fleet: Fleet, known: Known, offered: list[Known]) -> str:
    place = load_machine_words(voice.language)["places"][known.place]
    alone = sum(other.place == known.place for other in offered) == 1 and not known.number_said
    while True:
        found = mention(voice, fleet, known)
        sentence = str(voice.pick("choosing"))
        if ("place" in sentence or "{short}" in sentence) and not alone:
            continue
        if "{the}" in sentence and found.target is None:
            continue
        return voice.fill(
            sentence,
            found.said,
            short=bare(place),
            place=bare(place),
            in_place=after("in", place, voice.language),
            name=known.machine.name,
            ordinal=voice.words["ordinals"][offered.index(known)],
        )


def valuing(voice: Voice, speaker: Speaker) -> Talk:
    """An answer to "how much?"."""
    while True:
        fleet = make_fleet(voice)
        known = voice.choice(fleet.known)
        able = [what for what in known.told if known.told[what].value and what in voice.words["values_missing"]]
        if able:
            break
    what = voice.choice(able)
    limits = known.told[what].value
    assert limits is not None  # noqa: S101 - chosen for it
    found = mention(voice, fleet, known)
    asked = voice.dress(voice.fill(voice.choice(voice.words["values_missing"][what]), found.said))
    call = make_call(COMMAND, {"device_id": known.id, _ID: known.told[what].id}, "conversation")
    pending = Pending("fill", _CHANGE, call, "value", (), _ASKED)
    context = fleet.context(voice.language, Message("user", asked), Message("assistant", _ASKED), pending=pending)
    slots, number = value_of(voice, limits.unit, int(limits.minimum), int(limits.maximum))
    given = {"device_name": known, "command_name": known.told[what].name, "value": number}
    return (
        fleet,
        Said(voice.dress(voice.fill(voice.pick("values_said"), None, **slots)), ((COMMAND, given),)),
        context,
        "",
    )


def confirming(voice: Voice, speaker: Speaker) -> Talk:
    """A yes or a no to one way that was offered."""
    fleet = make_fleet(voice)
    known = voice.choice(fleet.known)
    what = voice.choice([each for each in sorted(known.told) if not known.told[each].value] or sorted(known.told))
    found = mention(voice, fleet, known)
    said = tell(voice, known, what, Mention(found.said, known))
    given = said.calls[0][1]
    value = {"value": given["value"]} if "value" in given else {}
    call = make_call(COMMAND, {"device_id": known.id, _ID: known.told[what].id, **value}, "conversation")
    choices = (Choice(known.machine.name, COMMAND, dict(call.parameters)),)
    pending = Pending("confirm", _CHANGE, call, "device_id", (), _ASKED, choices=choices)
    context = fleet.context(
        voice.language, Message("user", voice.dress(said.text)), Message("assistant", _ASKED), pending=pending
    )
    if voice.chance(0.45):
        return fleet, Said(voice.dress(voice.pick("refuse"))), context, voice.words["replies"]["no"]
    return fleet, Said(voice.dress(voice.pick("accept")), said.calls), context, ""


def taking_back(voice: Voice, speaker: Speaker) -> Talk:
    fleet = make_fleet(voice)
    asked, done, _what = _after_command(voice, fleet, voice.choice(fleet.known))
    if voice.chance(0.3):
        back = (Message("user", voice.pick("back")), Message("assistant", "OK.", done.tasks, (ToolCall(UNDO),)))
        context = fleet.context(voice.language, asked, done, *back)
        return fleet, Said(voice.dress(voice.pick("redo")), ((REDO, {}),)), context, ""
    return fleet, Said(voice.dress(voice.pick("back")), ((UNDO, {}),)), fleet.context(voice.language, asked, done), ""


def unrelated(voice: Voice, speaker: Speaker) -> Talk:
    """What went before has nothing to do with it."""
    if voice.chance(0.4):
        fleet, said, reply = no_call(voice, speaker)
    else:
        (fleet, said), reply = _named(voice), ""
    return fleet, said, _amid(voice, fleet, voice.choice(fleet.known)), reply


def _named(voice: Voice) -> tuple[Fleet, Said]:
    """A request that says itself which machine is meant: "it" would be the one spoken of before."""
    while True:
        fleet, said = SINGLE[voice.choice(("command", "reading", "detail", "listing", "several"))](voice)
        if all("device_name" in arguments or name == LIST for name, arguments in said.calls):
            return fleet, said


TALKS: dict[str, Callable[[Voice, Speaker], Talk]] = {
    "pointing": pointing,
    "going_on": going_on,
    "choosing": choosing,
    "valuing": valuing,
    "confirming": confirming,
    "taking_back": taking_back,
    "unrelated": unrelated,
}
