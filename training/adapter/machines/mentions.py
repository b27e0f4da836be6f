"""How people name a machine, and whether that singles it out."""

from __future__ import annotations

from typing import NamedTuple

from training.adapter.machines.fleets import Fleet, Known
from training.adapter.machines.voice import Voice, after, bare, load_machine_words


class Mention(NamedTuple):
    said: str | None
    """With its article; None: no machine is said."""
    target: Known | None
    """None: it may be several, or none at all."""
    words: str = ""
    """Of a machine that nobody has: what the call says instead of a number."""


def mention(voice: Voice, fleet: Fleet, known: Known) -> Mention:
    """By name, by kind and place, by kind alone, by serial number."""
    kind = voice.choice(voice.words["kinds"][known.kind])
    draw = voice.number(1, 100)
    if known.number_said and draw <= 80:
        return Mention(_with_article(voice, f"{bare(kind)} {known.number_said}"), known)
    if draw <= 30:
        return Mention(known.machine.name if voice.chance(0.6) else _with_article(voice, known.machine.name), known)
    if draw <= 37:
        return Mention(known.machine.serial, known)
    if draw <= 72:
        return Mention(_at_place(voice, kind, known), known if fleet.alike(known, place=True) == 1 else None)
    return Mention(_the(voice, kind), known if fleet.alike(known, place=False) == 1 else None)


def nobody(voice: Voice) -> Mention:
    """A machine that is not there."""
    kind = str(voice.pick("unknown"))
    place = voice.pick("places") if voice.chance(0.3) else ""
    said = _placed(voice, kind, place) if place else _the(voice, kind)
    return Mention(said, None, bare(said))


def _the(voice: Voice, kind: str) -> str:
    return f"the {kind}" if voice.language == "en" else kind


def _with_article(voice: Voice, name: str) -> str:
    return f"the {name}" if voice.language == "en" and voice.chance(0.5) else name


def _at_place(voice: Voice, kind: str, known: Known) -> str:
    return _placed(voice, kind, load_machine_words(voice.language)["places"][known.place])


def _placed(voice: Voice, kind: str, place: str) -> str:
    if voice.language == "en":
        return voice.choice((f"the {place} {kind}", f"the {kind} in the {place}", f"the {place} {kind}"))
    joined = voice.choice((after("di", place, "it"), after("in", place, "it"), bare(place)))
    return f"{kind} {joined}"
