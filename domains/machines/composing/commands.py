"""Which command the words mean: by the action's verbs and the object's names, over the whole fleet at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from domains.machines.composing.lexicon import Lexicon, load_lexicon
from domains.machines.composing.marking import mark_words
from domains.machines.composing.marks import Mark, object_words
from domains.machines.memory_fleet import MemoryFleet, command_words
from domains.machines.rules import load_rules
from domains.machines.values import Machine, MachineCommand


@dataclass(frozen=True, slots=True)
class Meant:
    """The commands that an action and its object may mean, the plainest verb first."""

    ranks: tuple[frozenset[str], ...]

    @property
    def names(self) -> frozenset[str]:
        return frozenset().union(*self.ranks)

    def of(self, machine: Machine) -> tuple[MachineCommand, ...]:
        """Those of one machine: all that share its plainest verb; a command that is just the verb stands alone."""
        for rank in self.ranks:
            found = tuple(command for command in machine.commands if command.name in rank)
            if found:
                return found
        return ()


def find_commands(action: str, target: str, fleet: MemoryFleet) -> Meant:
    if not action:
        return Meant((_with_target(target, fleet),)) if target else Meant(())
    ranks: list[frozenset[str]] = []
    for verb in load_rules()["actions"].get(action, (action,)):
        names = _beginning_with(verb, fleet)
        if target:
            ranks.append(names & _with_target(target, fleet))
        else:
            ranks += [names & {verb}, names - {verb}]
    return Meant(tuple(rank for rank in ranks if rank))


def find_spelt_out(verb: str, said: frozenset[str], fleet: MemoryFleet) -> Meant:
    """Commands that the words name in full, the verb first: silence_alarm in "silence the alarm"."""
    named = frozenset(name for name in fleet.commands_within(said) if command_words(name)[0] == verb)
    return Meant((named,) if named else ())


def find_named_command(said: str, machine: Machine) -> MachineCommand | None:
    """A command that a call gives by id, by name, or by the words of its name in any order."""
    words = sorted(mark_plain(said))
    for command in machine.commands:
        if said in (command.id, command.name) or sorted(command_words(command.name)) == words:
            return command
    return None


def mark_plain(said: str) -> list[str]:
    return [word for part in said.lower().replace("-", "_").split() for word in part.split("_") if word]


def read_command(said: str, fleet: MemoryFleet) -> tuple[str, str]:
    """The action and the object in a command's name as a model wrote it ("light on", "accendi luce")."""
    marks = mark_words(said, fleet).marks
    action = next((mark.meaning for mark in marks if mark.kind == "actions"), "")
    name, _, carried = action.partition(" ")
    target = carried or next((mark.meaning for mark in marks if mark.kind in ("objects", "metrics")), "")
    return name, target


def _beginning_with(verb: str, fleet: MemoryFleet) -> frozenset[str]:
    found = frozenset.intersection(*(fleet.commands_with(word) for word in verb.split("_")))
    return frozenset(name for name in found if name == verb or name.startswith(verb + "_"))


def _with_target(target: str, fleet: MemoryFleet) -> frozenset[str]:
    return frozenset().union(
        *(
            frozenset.intersection(*(fleet.commands_with(word) for word in name.split("_")))
            for name in object_words(target)
        )
    )


@dataclass(frozen=True, slots=True)
class Said:
    """A number that was said, with its sign and unit."""

    number: float
    unit: str
    relative: bool
    """ "by 2 degrees": a change, not a value."""
    mark: Mark


def find_values(marks: Iterable[Mark]) -> list[Said]:
    return list(_values(list(marks), load_lexicon()))


def _values(marks: list[Mark], lexicon: Lexicon) -> Iterator[Said]:
    for place, mark in enumerate(marks):
        if mark.kind != "number":
            continue
        before = marks[place - 1] if place else None
        minus = before is not None and before.kind == "minus"
        if minus and place > 1:
            before = marks[place - 2]
        after = marks[place + 1] if place + 1 < len(marks) else None
        below = place + 2 < len(marks) and marks[place + 2].kind == "minus" and " " in marks[place + 2].meaning
        number = float(mark.meaning)
        yield Said(
            number=-number if minus or below else number,
            unit=after.meaning if after is not None and after.kind == "units" else "",
            relative=before is not None and before.meaning in lexicon.sets["relative"],
            mark=mark,
        )


def unit_fits(said: str, unit: str) -> bool:
    return not said or said == unit or unit in load_rules()["units"].get(said, ())
