"""The machines in reach, as every lane and page asks for what is in reach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domains.machines.memory_fleet import MemoryFleet
from domains.machines.values import Machine
from domains.machines.wire import read_machines
from engine.border.json_form import to_json
from engine.text.folding import title_words
from engine.values import Task

_MOST_KEPT = 50
"""A turn keeps so many machines; of a larger fleet, those that were looked at first."""


class FleetIndex:
    """A fleet as a `TaskIndex`: a machine is a thing with an id, a number (its place) and a name."""

    def __init__(self, fleet: MemoryFleet) -> None:
        self.fleet = fleet
        self._seen: dict[str, Machine] = {}

    def find_by_id(self, task_id: str) -> Task | None:
        machine = self.fleet.find_by_id(task_id)
        return self._thing(machine) if machine else None

    def find_by_number(self, number: int) -> Task | None:
        machines = self.fleet.machines()
        return self._thing(machines[number - 1]) if 0 < number <= len(machines) else None

    def recent(self, limit: int) -> tuple[Task, ...]:
        return tuple(self._thing(machine) for machine in self.fleet.machines()[:limit])

    def candidates(self, mention: str, limit: int) -> tuple[Task, ...]:
        """Those that have words of the mention in their name or place, the most words first."""
        words = title_words(mention)
        known = [self.fleet.find_close_word(word) or word for word in words]
        groups = [self.fleet.with_name_word(word) for word in known]
        everyone = 0
        for group in groups:
            everyone |= group
        found = self.fleet.pick(everyone, max(limit, _MOST_KEPT))
        shared = {each.id: sum(bool(group & self.fleet.with_id(each.id)) for group in groups) for each in found}
        return tuple(self._thing(each) for each in sorted(found, key=lambda each: -shared[each.id])[:limit])

    def record(self) -> dict[str, Any]:
        """The fleet itself, unless it is large: then the machines that somebody asked about."""
        machines = self.fleet.machines()
        kept = machines if len(machines) <= _MOST_KEPT else tuple(self._seen.values())[:_MOST_KEPT]
        return {"machines": to_json(kept)}

    def _thing(self, machine: Machine) -> Task:
        self._seen[machine.id] = machine
        return Task(machine.id, self.fleet.place_of(machine.id) + 1, machine.name, machine.description)


def read_fleet(data: Mapping[str, Any]) -> FleetIndex:
    """From a recorded turn, or from an input line with `machines`."""
    return FleetIndex(MemoryFleet(read_machines(data.get("machines") or [])))
