"""One user's machines, by the words that lead to them.

A group of machines is one whole number, bit n for machine n: with ten thousand machines, those that have two
words in common are found in microseconds, and the composer never looks through them one by one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TypeVar

from rapidfuzz import fuzz, process

from domains.machines.values import Machine, MachineCommand
from engine.text.folding import fold, title_words

Group = int
"""Bit n stands for machine n."""
_SHORTEST_MISSPELT_WORD = 5
_CLOSE = 85
Key = TypeVar("Key")
_NOT_SERIAL = re.compile(r"[^a-z0-9]+")


class MemoryFleet:
    """Made once from the machines; asked by words ever after. The indexes are made when first asked for."""

    def __init__(self, machines: Iterable[Machine] = ()) -> None:
        self._machines = tuple(machines)
        self._by_id = {machine.id: place for place, machine in enumerate(self._machines)}

    def __len__(self) -> int:
        return len(self._machines)

    def machines(self) -> tuple[Machine, ...]:
        return self._machines

    @property
    def everyone(self) -> Group:
        return (1 << len(self._machines)) - 1

    def find_by_id(self, machine_id: str) -> Machine | None:
        place = self._by_id.get(machine_id)
        return None if place is None else self._machines[place]

    def place_of(self, machine_id: str) -> int:
        return self._by_id[machine_id]

    def with_id(self, machine_id: str) -> Group:
        place = self._by_id.get(machine_id)
        return 0 if place is None else 1 << place

    def with_serial(self, said: str) -> Group:
        return self._by_serial.get(_plain(said), 0)

    def with_name(self, words: Sequence[str]) -> Group:
        """Machines whose name has exactly these words, in any order: "kitchen fridge" is Fridge Kitchen."""
        return self._by_name.get(tuple(sorted(words)), 0)

    def with_name_word(self, word: str) -> Group:
        """Machines that have the word in their name or stand at a place of that name."""
        return self._name_words.get(word, 0)

    def with_description_word(self, word: str) -> Group:
        return self._description_words.get(word, 0)

    def with_metric(self, names: Iterable[str]) -> Group:
        return _union(self._metrics.get(name, 0) for name in names)

    def with_command_id(self, command_id: str) -> Group:
        return self._command_ids.get(command_id, 0)

    def metrics_beginning_with(self, word: str) -> tuple[tuple[str, ...], ...]:
        """The words of metrics' names of several words, the longest first: ("soil", "moisture")."""
        return self._long_metrics.get(word, ())

    def has_command_word(self, word: str) -> bool:
        return word in self._commands_by_word

    @cached_property
    def command_verbs(self) -> frozenset[str]:
        """What commands' names of several words begin with: the fleet's own verbs."""
        return frozenset(words[0] for words in map(command_words, self._by_command) if len(words) > 1)

    def commands_within(self, said: frozenset[str]) -> frozenset[str]:
        """Commands of several words whose every word was said: silence_alarm in "silence the alarm"."""
        found = {name for word in said for name in self._commands_by_word.get(word, ())}
        return frozenset(
            name for name in found if len(words := command_words(name)) > 1 and all(word in said for word in words)
        )

    def with_metric_word(self, words: Iterable[str]) -> Group:
        """Machines with a metric that has one of the words in its name: temperature in oil_temperature."""
        return _union(self._metric_words.get(word, 0) for word in words)

    def with_commands(self, names: Iterable[str]) -> Group:
        return _union(self._by_command.get(name, 0) for name in names)

    def commands_with(self, word: str) -> frozenset[str]:
        """Names of commands that have the word."""
        return frozenset(self._commands_by_word.get(word, ()))

    def find_close_word(self, word: str) -> str | None:
        """The one word of a name or place that a misspelt word stands for."""
        if len(word) < _SHORTEST_MISSPELT_WORD:
            return None
        found = process.extract(word, self._long_words, scorer=fuzz.ratio, score_cutoff=_CLOSE, limit=2)
        return str(found[0][0]) if found and (len(found) == 1 or found[0][1] > found[1][1]) else None

    def pick(self, group: Group, limit: int) -> tuple[Machine, ...]:
        """The first machines of a group, in the order of the fleet."""
        return tuple(machine for machine, _ in zip(self._each(group), range(limit), strict=False))

    def _each(self, group: Group) -> Iterator[Machine]:
        while group:
            lowest = group & -group
            yield self._machines[lowest.bit_length() - 1]
            group ^= lowest

    @cached_property
    def _by_serial(self) -> dict[str, Group]:
        return _gather((place, [_plain(machine.serial)]) for place, machine in enumerate(self._machines))

    @cached_property
    def _by_name(self) -> dict[tuple[str, ...], Group]:
        return _gather(
            (place, [tuple(sorted(title_words.__wrapped__(machine.name)))])
            for place, machine in enumerate(self._machines)
        )

    @cached_property
    def longest_name(self) -> int:
        return max((len(words) for words in self._by_name), default=0)

    @cached_property
    def _name_words(self) -> dict[str, Group]:
        return _gather(
            (place, title_words.__wrapped__(f"{machine.name} {machine.place}"))
            for place, machine in enumerate(self._machines)
        )

    @cached_property
    def _long_words(self) -> list[str]:
        return [word for word in self._name_words if len(word) >= _SHORTEST_MISSPELT_WORD]

    @cached_property
    def _description_words(self) -> dict[str, Group]:
        return _gather(
            (place, title_words.__wrapped__(machine.description)) for place, machine in enumerate(self._machines)
        )

    @cached_property
    def _metrics(self) -> dict[str, Group]:
        return _gather(
            (place, [metric.name for metric in machine.metrics]) for place, machine in enumerate(self._machines)
        )

    @cached_property
    def _metric_words(self) -> dict[str, Group]:
        return _gather(
            (place, [word for metric in machine.metrics for word in command_words(metric.name)])
            for place, machine in enumerate(self._machines)
        )

    @cached_property
    def _long_metrics(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        by_first: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
        for words in sorted((command_words(name) for name in self._metrics), key=len, reverse=True):
            if len(words) > 1:
                by_first[words[0]].append(words)
        return {first: tuple(names) for first, names in by_first.items()}

    @cached_property
    def _command_ids(self) -> dict[str, Group]:
        return _gather(
            (place, [command.id for command in machine.commands]) for place, machine in enumerate(self._machines)
        )

    @cached_property
    def _by_command(self) -> dict[str, Group]:
        return _gather(
            (place, [command.name for command in machine.commands]) for place, machine in enumerate(self._machines)
        )

    @cached_property
    def _commands_by_word(self) -> dict[str, set[str]]:
        by_word: defaultdict[str, set[str]] = defaultdict(set)
        for name in self._by_command:
            for word in command_words(name):
                by_word[word].add(name)
        return dict(by_word)


def command_words(name: str) -> tuple[str, ...]:
    return tuple(fold(name).split("_"))


def find_command(machine: Machine, name_or_id: str) -> MachineCommand | None:
    for command in machine.commands:
        if name_or_id in (command.id, command.name):
            return command
    return None


def _gather(entries: Iterable[tuple[int, Iterable[Key]]]) -> dict[Key, Group]:
    """From each machine's keys to each key's machines."""
    places: defaultdict[Key, list[int]] = defaultdict(list)
    for place, keys in entries:
        for key in set(keys):
            if key:
                places[key].append(place)
    return {key: _group(found) for key, found in places.items()}


def _group(places: list[int]) -> Group:
    marked = bytearray(places[-1] // 8 + 1)
    for place in places:
        marked[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(marked, "little")


def _union(groups: Iterable[Group]) -> Group:
    united = 0
    for group in groups:
        united |= group
    return united


def _plain(serial: str) -> str:
    """Serial numbers are said with and without their dashes."""
    return _NOT_SERIAL.sub("", fold(serial))
