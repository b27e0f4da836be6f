"""Somebody's machines: of some kinds, at some places, under names of one language, with the commands of one maker."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from domains.machines.memory_fleet import MemoryFleet
from domains.machines.reach import FleetIndex
from domains.machines.values import Machine, MachineCommand, MachineMetric, ValueRange
from engine.decision import Context, Message, Pending
from training.adapter.machines.voice import Voice, bare, load_fleet_words, load_machine_words

NOW = datetime(2026, 3, 2, 9)  # noqa: DTZ001 - a wall clock, as the Context has it
_SAME_PLACES = 11
"""So many of the places stand in the same order in both files: a fleet in one language is spoken of in the other."""
_OTHER_LANGUAGE, _OFFLINE, _NUMBERED, _LARGE = 0.2, 0.1, 0.25, 0.06
_USUAL, _MOST = 8, 20


@dataclass(frozen=True)
class Known:
    """A machine with what only whoever made it up knows."""

    machine: Machine
    kind: str
    place: int
    told: dict[str, MachineCommand]
    """Its commands by what they do, whatever they are called."""
    number_said: str = ""
    """Of several that are told apart by a number only."""

    @property
    def id(self) -> str:
        return self.machine.id


@dataclass(frozen=True)
class Fleet:
    known: tuple[Known, ...]
    index: FleetIndex
    language: str

    def number(self, known: Known) -> str:
        return f"#{self.index.fleet.place_of(known.id) + 1}"

    def alike(self, known: Known, *, place: bool) -> int:
        """How many there are of its kind, or of its kind at its place."""
        return sum(other.kind == known.kind and (not place or other.place == known.place) for other in self.known)

    def context(self, language: str, *said: Message, pending: Pending | None = None) -> Context:
        return Context(self.index, NOW, tuple(said), pending, language=language)


def make_fleet(voice: Voice, kinds: tuple[str, ...] = ()) -> Fleet:
    """These kinds, and others."""
    language = voice.other_language() if voice.chance(_OTHER_LANGUAGE) else voice.language
    wanted = _MOST if voice.chance(_LARGE) else voice.choice((1, 2, 3, 4, 4, 5, 5, 6, 6, 7, _USUAL))
    every = sorted(load_fleet_words()["kinds"])
    few = voice.sample(every, min(len(every), voice.choice((2, 3, 4, 5))))
    chosen = [*kinds, *(voice.choice(few) for _ in range(max(0, wanted - len(kinds))))]
    names = {what: voice.choice(entry["names"]) for what, entry in load_fleet_words()["commands"].items()}
    places = list(range(_SAME_PLACES if language != voice.language else len(load_machine_words(language)["places"])))
    made: list[Known] = []
    for kind in chosen:
        taken = {known.place for known in made if known.kind == kind}
        free = [place for place in places if place not in taken] or places
        made.append(_make(voice, kind, voice.choice(free), language, names, len(made)))
    made = _told_apart(made, language, voice)
    if voice.chance(0.7):
        voice.shuffle(made)
    else:
        made.sort(key=lambda known: known.machine.name)
    return Fleet(tuple(made), FleetIndex(MemoryFleet(known.machine for known in made)), language)


def _make(voice: Voice, kind: str, place: int, language: str, names: dict[str, str], count: int) -> Known:
    entry, words = load_fleet_words()["kinds"][kind], load_machine_words(language)
    told = {what: _command(what, entry, names, f"c{count}-{at}") for at, what in enumerate(entry["commands"])}
    title, where = bare(words["kinds"][kind][0]).title(), bare(words["places"][place]).title()
    forms = (f"{where} {title}", f"{title} {where}") if language == "en" else (f"{title} {where}",)
    name = title if voice.chance(0.15) else voice.choice(forms)
    metrics = tuple(MachineMetric(metric, load_fleet_words()["metrics"][metric]) for metric in entry["metrics"])
    machine = Machine(
        f"m{count}",
        name,
        f"{entry['serial']}{voice.choice(('', '-'))}{voice.number(1, 99):03}",
        where if voice.chance(0.85) or title == name else "",
        connected=not voice.chance(_OFFLINE),
        commands=tuple(told.values()),
        metrics=metrics,
    )
    return Known(machine, kind, place, told)


def _command(what: str, kind: dict[str, Any], names: dict[str, str], command_id: str) -> MachineCommand:
    entry = load_fleet_words()["commands"][what]
    if "unit" not in entry:
        return MachineCommand(command_id, names[what])
    own = what == "set_temperature"
    low, high = (
        (kind.get("low", entry["low"]), kind.get("high", entry["high"])) if own else (entry["low"], entry["high"])
    )
    return MachineCommand(command_id, names[what], value=ValueRange(entry["unit"], low, high))


def _told_apart(made: list[Known], language: str, voice: Voice) -> list[Known]:
    """Machines of the same name get numbers; now and then all of a kind do, and stand at one place."""
    kinds = dict.fromkeys(known.kind for known in made)
    names = [known.machine.name for known in made]
    numbered = {kind for kind in kinds if voice.chance(_NUMBERED)}
    numbered |= {known.kind for known in made if names.count(known.machine.name) > 1}
    found: list[Known] = []
    for known in made:
        same = [other for other in made if other.kind == known.kind]
        if known.kind not in numbered or len(same) == 1:
            found.append(known)
            continue
        number = str(same.index(known) + 1)
        title = bare(load_machine_words(language)["kinds"][known.kind][0]).title()
        machine = replace(known.machine, name=f"{title} {number}", place=same[0].machine.place)
        found.append(replace(known, machine=machine, place=same[0].place, number_said=number))
    return found
