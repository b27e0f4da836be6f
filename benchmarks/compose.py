"""How long composing takes with ten thousand machines of twenty commands each, beside spec 5's own algorithm.

`python -m benchmarks.compose [--machines 10000]`. The peer looks through every machine and every command, as the
pseudo-code of spec 5 does; both read the same messages in the same run.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

from domains.composing import compose
from domains.machines.composing.lexicon import load_lexicon
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.rules import load_rules
from domains.machines.values import Machine, MachineCommand, MachineMetric, ValueRange
from engine.completing.values import Request
from engine.text.folding import title_words

_KINDS = ("Frigo", "Forno", "Abbattitore", "Freezer", "Dishwasher", "Mixer", "Boiler", "Pump", "Press", "Conveyor")
_PLACES = ("Cucina", "Sala", "Bar", "Cantina", "Magazzino", "Ufficio", "Garage", "Lab", "Hall", "Terrazza")
_PARTS = ("light", "fan", "defrost", "door", "alarm", "cycle", "pump", "timer", "cleaning")
_ROUNDS = 5


def make_fleet(count: int) -> MemoryFleet:
    chance = random.Random(8)
    return MemoryFleet(_make_machine(number, chance) for number in range(count))


def _make_machine(number: int, chance: random.Random) -> Machine:
    kind, place = chance.choice(_KINDS), chance.choice(_PLACES)
    names = [f"{verb}_{part}" for part in _PARTS for verb in ("start", "stop")]
    commands = [MachineCommand(f"{number}-{name}", name) for name in names]
    commands.append(MachineCommand(f"{number}-on", "turn_on_light"))
    commands.append(MachineCommand(f"{number}-set", "set_temperature", value=ValueRange("°C", 0, 10)))
    metrics = (MachineMetric("temperature", "°C"), MachineMetric("humidity", "%"))
    serial = f"{kind[:2].upper()}-{number:05d}"
    return Machine(str(number), f"{kind} {place} {number}", serial, place, "", True, tuple(commands), metrics)


def make_messages(fleet: MemoryFleet, count: int = 60) -> list[str]:
    chance = random.Random(9)
    messages = []
    for machine in chance.sample(fleet.machines(), count):
        messages.append(
            chance.choice(
                (
                    "turn on the light",
                    f"accendi la luce del {machine.name}",
                    f"start the defrost of {machine.serial}",
                    f"what is the temperature of {machine.name.lower()}?",
                    f"avvia il ciclo in {machine.place}",
                    f"imposta {machine.name} a 4 gradi",
                    f"turn on the light in the {machine.name.split()[0].lower()}",
                )
            )
        )
    return messages


def look_through(text: str, fleet: MemoryFleet) -> int:
    """Spec 5's loop: every machine whose name shares a word with the message, and each of its commands."""
    said = set(title_words(text))
    meanings = {phrase.meaning for word in said for phrase in load_lexicon().phrases.get(word, ())}
    objects = {name for meaning in meanings for name in load_rules()["objects"].get(meaning, ())}
    named = [machine for machine in fleet.machines() if said & set(title_words.__wrapped__(machine.name))]
    valid = 0
    for machine in named or fleet.machines():
        valid += sum(bool(objects & set(command.name.split("_"))) for command in machine.commands)
    return valid


def _measure(run: Callable[[str], object], messages: list[str]) -> list[float]:
    times = []
    for _ in range(_ROUNDS):
        for message in messages:
            began = time.perf_counter()
            run(message)
            times.append((time.perf_counter() - began) * 1000)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machines", type=int, default=10_000)
    options = parser.parse_args()
    fleet = make_fleet(options.machines)
    messages = make_messages(fleet)
    began = time.perf_counter()
    compose(Request(messages[0], "machine_command_execute", fleet=fleet))
    print(f"first message, indexes included: {(time.perf_counter() - began) * 1000:.0f} ms")
    ours = _measure(lambda text: compose(Request(text, fleet=fleet)), messages)
    peer = _measure(lambda text: look_through(text, fleet), messages)
    for name, times in (("composer", ours), ("looking through all", peer)):
        ordered = sorted(times)
        print(f"{name:20} median {statistics.median(times):7.2f} ms   p95 {ordered[int(len(ordered) * 0.95)]:7.2f} ms")
    print(f"ratio of medians: {statistics.median(peer) / statistics.median(ours):.1f}")


if __name__ == "__main__":
    main()
