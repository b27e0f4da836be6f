"""Single messages about machines: something to be done, read, shown or listed, and what asks for nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from domains.loading import load_domain
from domains.machines.standing import pick_machines
from engine.decision import Context
from llm.prompt import trained_messages
from training.adapter.example import Call, Example
from training.adapter.machines.fleets import Fleet, Known, make_fleet
from training.adapter.machines.mentions import Mention, mention, nobody
from training.adapter.machines.voice import Voice, after, bare, load_fleet_words, load_machine_words
from training.adapter.sentences import say
from training.adapter.speaker import Speaker

COMMAND, READ, DETAIL, LIST = "machine_command_execute", "metrics_read", "device_detail", "machines_list"
_OF_MACHINES = re.compile(
    r"light|lamp|heat|thermostat|oven|fan|door|coffee|temperature|vacuum|degrees|turn|switch|dim|volume|blind|lock|garage"
    r"|luc[ei]|lampad|riscald|termost|forno|ventil|porta|caff|temperatur|gradi|accend|spegn|volume|tapparell|cancell",
    re.I,
)
"""What a task assistant leaves alone may be just what a machine is told."""
_NOT_SAID, _NOBODY, _UNABLE = 0.16, 0.05, 0.03


class Said(NamedTuple):
    text: str
    calls: tuple[Call, ...] = ()


def make_example(
    kind: str, voice: Voice, fleet: Fleet, said: Said, context: Context | None = None, reply: str = ""
) -> Example | None:
    """None where the words of a call were misspelt on the way: nobody could copy them."""
    context = context or fleet.context(voice.language)
    calls = []
    for name, arguments in said.calls:
        found = _as_in_view(arguments, said.text, context, fleet)
        if found is None:
            return None
        calls.append((name, found))
    messages = tuple(trained_messages(said.text, context, load_domain("machines")))
    return Example(f"machines_{kind}", voice.language, messages, tuple(calls), reply, domain="machines")


def _as_in_view(arguments: dict[str, Any], text: str, context: Context, fleet: Fleet) -> dict[str, Any] | None:
    """A machine that is seen goes by its number, every other by the words for it."""
    given = dict(arguments)
    known = given.get("device_name")
    if isinstance(known, Known):
        seen = {machine.id for machine in pick_machines(text, context, fleet.index)}
        if known.id in seen:
            return {**given, "device_name": fleet.number(known)}
        return None
    if isinstance(known, str):
        at = text.lower().find(known.lower())
        return {**given, "device_name": text[at : at + len(known)]} if at >= 0 else None
    return given


def device_of(found: Mention) -> dict[str, Any]:
    if found.target:
        return {"device_name": found.target}
    return {"device_name": found.words} if found.words else {}


def find_mention(voice: Voice, fleet: Fleet, known: Known) -> Mention:
    """As it is said in a single message: mostly by some name, now and then not at all."""
    if voice.chance(_NOT_SAID):
        return Mention(None, None)
    return nobody(voice) if voice.chance(_NOBODY) else mention(voice, fleet, known)


def tell(voice: Voice, known: Known, what: str, found: Mention) -> Said:
    """One command. A sentence that must name a machine and does not says "it"."""
    sentence = voice.choice(voice.words["commands"][what])
    return Said(*_told(voice, known, what, found, sentence))


def _told(voice: Voice, known: Known, what: str, found: Mention, sentence: str) -> tuple[str, tuple[Call, ...]]:
    machine = found.said
    if machine is None and "{" in sentence.replace("{value}", "").replace("{unit}", "").split("[")[0]:
        machine = voice.pick("pronouns")
    arguments: dict[str, Any] = {**device_of(found), "command_name": known.told[what].name}
    slots: dict[str, object] = {}
    limits = known.told[what].value
    if limits and "{value}" in sentence:
        slots, arguments["value"] = value_of(voice, limits.unit, int(limits.minimum), int(limits.maximum))
    return voice.fill(sentence, machine, **slots), ((COMMAND, arguments),)


def value_of(voice: Voice, unit: str, low: int, high: int) -> tuple[dict[str, object], int | float]:
    """A number in its range, mostly; what is out of it our code says."""
    number: int | float = voice.number(low, high) if not voice.chance(0.04) else high + voice.number(1, 50)
    if unit == "°C" and high <= 30 and voice.chance(0.1):
        number = number + 0.5
    words = {int(key): word for key, word in voice.words["number_words"].items()}
    said: str = words[int(number)] if number in words and voice.chance(0.12) else f"{number:g}"
    if number < 0 and voice.chance(0.35):
        said = f"{'minus' if voice.language == 'en' else 'meno'} {-number:g}"
    if isinstance(number, float) and voice.language == "it" and voice.chance(0.5):
        said = said.replace(".", ",")
    return {"value": said, "unit": voice.choice(voice.words["units"][unit])}, number


def command(voice: Voice) -> tuple[Fleet, Said]:
    fleet = make_fleet(voice)
    known = voice.choice(fleet.known)
    if voice.chance(_UNABLE):
        return fleet, _unable(voice, fleet, known)
    what = voice.choice(sorted(known.told))
    found = find_mention(voice, fleet, known)
    missing = voice.words["values_missing"].get(what)
    if missing and voice.chance(0.15):
        text, calls = _told(voice, known, what, found, voice.choice(missing))
        return fleet, Said(voice.dress(text), calls)
    said = tell(voice, known, what, found)
    return fleet, Said(voice.dress(said.text), said.calls)


def _unable(voice: Voice, fleet: Fleet, known: Known) -> Said:
    """What this machine cannot do: the call names the machine alone, and our code says what is wrong."""
    others = sorted(set(load_fleet_words()["commands"]) - set(known.told) - {"start", "stop", "on", "off"})
    what = voice.choice([each for each in others if not each.startswith("set_")])
    sentence = voice.choice([each for each in voice.words["commands"][what] if "{the}" in each] or ["!open {the}"])
    found = mention(voice, fleet, known)
    return Said(voice.dress(voice.fill(sentence, found.said)), ((COMMAND, device_of(found)),))


def several(voice: Voice) -> tuple[Fleet, Said]:
    """Two things in one message: for two machines, or two commands for one, or a command and a reading."""
    fleet = make_fleet(voice)
    first, second = voice.choice(fleet.known), voice.choice(fleet.known)
    if first is not second and voice.chance(0.4):
        shared = sorted(set(first.told) & set(second.told))
        plain = [what for what in shared if any("{the}" in each for each in voice.words["commands"][what])]
        if plain:
            return fleet, _both(voice, fleet, first, second, voice.choice(plain))
    parts = [_part(voice, fleet, known) for known in (first, second)]
    text = voice.choice(voice.words["several_joints"]).join(part.text for part in parts)
    if voice.chance(0.4):
        text = text[0].upper() + text[1:]
    return fleet, Said(text, tuple(call for part in parts for call in part.calls))


def _part(voice: Voice, fleet: Fleet, known: Known) -> Said:
    found = mention(voice, fleet, known)
    if voice.chance(0.25):
        metric = voice.choice([each.name for each in known.machine.metrics])
        sentence = voice.choice([each for each in voice.words["metrics"][metric] if "{" in each])
        text = voice.fill(sentence.removeprefix("!"), found.said).rstrip("?")
        return Said(text, ((READ, {**device_of(found), "metrics": [metric]}),))
    what = voice.choice(sorted(known.told))
    imperative = [each for each in voice.words["commands"][what] if each.startswith("!")]
    text, calls = _told(voice, known, what, found, voice.choice(imperative))
    return Said(voice.in_form(text.removeprefix("!")), calls)


def _both(voice: Voice, fleet: Fleet, first: Known, second: Known, what: str) -> Said:
    """ "turn off the oven and the hood"."""
    sentence = voice.choice([each for each in voice.words["commands"][what] if "{the}" in each])
    one, other = mention(voice, fleet, first), mention(voice, fleet, second)
    text, calls = _told(voice, first, what, one._replace(said="\x00"), sentence)
    joined = f"{one.said}{voice.choice(voice.words['both'])}{other.said}"
    value = calls[0][1].get("value")
    more: dict[str, Any] = {**device_of(other), "command_name": second.told[what].name}
    if value is not None:
        more["value"] = value
    return Said(voice.dress(text).replace("\x00", joined), (*calls, (COMMAND, more)))


def reading(voice: Voice) -> tuple[Fleet, Said]:
    fleet = make_fleet(voice)
    known = voice.choice(fleet.known)
    metrics = [metric.name for metric in known.machine.metrics]
    found, draw = find_mention(voice, fleet, known), voice.number(1, 100)
    if found.said is None and draw > 70:
        found = mention(voice, fleet, known)
    if draw > 90:
        text = voice.fill(voice.pick("read_all"), found.said)
        return fleet, Said(voice.dress(text), ((READ, device_of(found)),))
    if draw > 80 and len(metrics) > 1:
        one, other = voice.sample(metrics, 2)
        nouns = voice.words["metric_nouns"]
        text = voice.fill(voice.pick("two_metrics"), found.said, one=nouns[one], other=nouns[other])
        return fleet, Said(voice.dress(text), ((READ, {**device_of(found), "metrics": [one, other]}),))
    metric = voice.choice(metrics)
    if draw > 70:
        hours = voice.choice((2, 3, 6, 8, 12, 24, 36, 48, 72))
        noun = voice.words["metric_nouns"][metric]
        text = voice.fill(voice.pick("over_hours"), found.said, one=noun, hours=hours)
        return fleet, Said(voice.dress(text), ((READ, {**device_of(found), "metrics": [metric], "hours": hours}),))
    sentence = voice.choice(voice.words["metrics"][metric])
    machine = found.said
    if machine is None and "{" in sentence.split("[")[0]:
        machine = voice.pick("pronouns")
    arguments = {**device_of(found), "metrics": [metric]}
    return fleet, Said(voice.dress(voice.fill(sentence, machine)), ((READ, arguments),))


def detail(voice: Voice) -> tuple[Fleet, Said]:
    fleet = make_fleet(voice)
    found = nobody(voice) if voice.chance(_NOBODY) else mention(voice, fleet, voice.choice(fleet.known))
    return fleet, Said(voice.dress(voice.fill(voice.pick("detail"), found.said)), ((DETAIL, device_of(found)),))


def listing(voice: Voice) -> tuple[Fleet, Said]:
    fleet = make_fleet(voice)
    entry = voice.pick("list")
    place = voice.choice(fleet.known).place
    words = load_machine_words(voice.language)["places"][place]
    said = bare(words) if voice.language == "en" else after("in", words, "it")
    kind = bare(voice.words["kinds"][voice.choice(fleet.known).kind][0])
    text = voice.fill(voice.choice(entry["say"]), None, place=said, kind=kind)
    filled = {"{place}": bare(words), "{kind}": kind}
    arguments = {name: filled.get(value, value) for name, value in entry["with"].items()}
    return fleet, Said(voice.dress(text), ((LIST, arguments),))


def of_all(voice: Voice) -> tuple[Fleet, Said]:
    """ "turn everything off": the call names no machine, and our code asks which."""
    fleet = make_fleet(voice)
    text = voice.fill(voice.pick("all_of_them"), None, number=voice.number(2, 30))
    return fleet, Said(voice.dress(text), ((COMMAND, {}),))


SINGLE: dict[str, Callable[[Voice], tuple[Fleet, Said]]] = {
    "command": command,
    "several": several,
    "reading": reading,
    "detail": detail,
    "listing": listing,
    "of_all": of_all,
}


def no_call(voice: Voice, speaker: Speaker) -> tuple[Fleet, Said, str]:
    """A denial, another time, a question about doing it, a report, talk, or something for another page."""
    fleet, replies = make_fleet(voice), voice.words["replies"]
    kind = voice.choice(
        ("never", "never", "never", "later", "later", "asked_about", "reported", "other", "chat", "task")
    )
    if kind in ("other", "chat", "task"):
        return fleet, Said(_elsewhere(voice, speaker, kind)), replies["chat" if kind == "chat" else "other"]
    known = voice.choice(fleet.known)
    what = voice.choice(sorted(known.told))
    imperative = [each for each in voice.words["commands"][what] if each.startswith("!")]
    found = find_mention(voice, fleet, known)
    text = _told(voice, known, what, found, voice.choice(imperative))[0].removeprefix("!")
    wrapped = str(voice.pick(kind))
    hour = voice.pick("hours_said")
    tell_form, say_form = voice.in_form(text), voice.in_form(text, infinitive=voice.language == "it")
    filled = wrapped.replace("{tell}", tell_form).replace("{say}", say_form).replace("{hour}", hour)
    return fleet, Said(voice.dress(filled)), replies[kind]


def _elsewhere(voice: Voice, speaker: Speaker, kind: str) -> str:
    if kind == "chat":
        return voice.dress(str(voice.pick("chat")))
    if kind == "task":
        return voice.dress(str(voice.pick("wrong_page")).replace("{title}", speaker.title()))
    while True:
        text = say(speaker, speaker.pick("other"), "").text
        if not _OF_MACHINES.search(text):
            return text
