"""What a small model sees of how things stand: the machines that a message may be about, and what was said and done.

One function renders it, in training and in use. A machine goes by its number; machines that can be told the same share
the line that says what. Like a task's title, a name is data: it is one line, and is cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domains.machines.asking import COMMAND, MACHINE
from domains.machines.memory_fleet import MemoryFleet, find_command
from domains.machines.reach import FleetIndex
from domains.machines.values import Machine
from engine.decision import Context, Message, Pending
from engine.values import ToolCall

MOST_MACHINES = 8
_LIKELY = 4
_SPOKEN_OF = 4
_LOOKED_BACK = 6
_MOST_COMMANDS = 12
_MOST_METRICS = 6
_NAME_LIMIT = 40
_SAID_LIMIT = 90
_EXCHANGES = 2
_BACK = ("undo", "redo")
_READ = {"metrics_read": "read", "device_detail": "shown", "machines_list": "listed"}


def describe_standing(text: str, context: Context) -> str:
    """Empty where there are no machines."""
    if not isinstance(context.tasks, FleetIndex):
        return ""
    machines = pick_machines(text, context, context.tasks)
    fleet = context.tasks.fleet
    lines = [_machine_line(machine, fleet) for machine in machines]
    return "\n".join([*lines, *_abilities(machines, fleet), *_exchanges(context, fleet)])


def pick_machines(text: str, context: Context, index: FleetIndex) -> tuple[Machine, ...]:
    """Those asked about, those spoken of last, those that the words may name, and the first; in the fleet's order."""
    spoken = [task_id for message in reversed(context.history[-_LOOKED_BACK:]) for task_id in message.tasks]
    likely = [thing.id for thing in index.candidates(text, _LIKELY)]
    first = [machine.id for machine in index.fleet.machines()[:MOST_MACHINES]]
    ranked = [*_asked_about(context.pending), *list(dict.fromkeys(spoken))[:_SPOKEN_OF], *likely, *first]
    found = [machine for each in dict.fromkeys(ranked) if (machine := index.fleet.find_by_id(each))][:MOST_MACHINES]
    return tuple(sorted(found, key=lambda machine: index.fleet.place_of(machine.id)))


def number_of(machine: Machine, fleet: MemoryFleet) -> str:
    return f"#{fleet.place_of(machine.id) + 1}"


def _asked_about(pending: Pending | None) -> list[str]:
    if pending is None:
        return []
    calls = [call.parameters for call in (pending.call, *pending.then)]
    named = [each.get(MACHINE) for each in (*calls, *(choice.arguments for choice in pending.choices))]
    return [str(each) for each in named if each]


def _machine_line(machine: Machine, fleet: MemoryFleet) -> str:
    state = "" if machine.connected else "offline"
    parts = [_cut(machine.name, _NAME_LIMIT), _cut(machine.place, _NAME_LIMIT), state]
    return f"{number_of(machine, fleet)} " + ", ".join(part for part in parts if part)


def _abilities(machines: Iterable[Machine], fleet: MemoryFleet) -> Iterator[str]:
    """What can be told to which of them, and what they measure."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for machine in machines:
        commands = [_cut(command.name, _NAME_LIMIT) for command in machine.commands[:_MOST_COMMANDS]]
        metrics = [_cut(metric.name, _NAME_LIMIT) for metric in machine.metrics[:_MOST_METRICS]]
        alike.setdefault((" ".join(commands), " ".join(metrics)), []).append(number_of(machine, fleet))
    for (commands_of, metrics_of), numbers in alike.items():
        yield f"{' '.join(numbers)}: {commands_of or '-'} | {metrics_of or '-'}"


def _exchanges(context: Context, fleet: MemoryFleet) -> list[str]:
    """The last ones, each on a line: what was said, and what came of it."""
    pairs: list[tuple[str, Message | None]] = []
    for message in context.history[-4 * _EXCHANGES :]:
        if message.role == "user":
            pairs.append((message.content, None))
        elif pairs and pairs[-1][1] is None:
            pairs[-1] = (pairs[-1][0], message)
    last = len(pairs) - 1
    lines = [
        f'"{_cut(said, _SAID_LIMIT)}" -> {_outcome(answer, context.pending if place == last else None, fleet)}'
        for place, (said, answer) in enumerate(pairs)
    ]
    return lines[-_EXCHANGES:]


def _outcome(answer: Message | None, pending: Pending | None, fleet: MemoryFleet) -> str:
    done = [_told(call, fleet) for call in answer.calls] if answer else []
    if not done and not pending and answer and answer.tasks:
        done = [f"named {_numbers(answer.tasks, fleet)}"]
    asked = _question(pending, fleet) if pending else ""
    return ", ".join(part for part in (*done, asked) if part) or "ok"


def _told(call: ToolCall, fleet: MemoryFleet) -> str:
    if call.tool_name in _BACK:
        return "undone"
    given = call.parameters
    machine = fleet.find_by_id(str(given.get(MACHINE, "")))
    number = number_of(machine, fleet) if machine else ""
    if call.tool_name in _READ:
        metrics = given.get("metrics")
        return " ".join(
            [_READ[call.tool_name], number, *(map(str, metrics) if isinstance(metrics, list) else ())]
        ).strip()
    named = str(given.get(COMMAND) or given.get("command_name") or "")
    command = find_command(machine, named) if machine and named else None
    value = f"{given['value']:g}" if isinstance(given.get("value"), int | float) else ""
    return " ".join(part for part in (number, command.name if command else "", value) if part) or "done"


def _question(pending: Pending, fleet: MemoryFleet) -> str:
    machines = list(
        dict.fromkeys(str(each.arguments[MACHINE]) for each in pending.choices if MACHINE in each.arguments)
    )
    if pending.kind == "confirm":
        return f"asked: {_told(pending.call, fleet)}?"
    if len(machines) > 1:
        return f"asked: which? {_numbers(machines, fleet)}"
    return f"asked: {_told(pending.call, fleet)} {pending.parameter or 'what'}?".replace("done ", "")


def _numbers(machine_ids: Iterable[str], fleet: MemoryFleet) -> str:
    found = [fleet.find_by_id(each) for each in list(machine_ids)[:MOST_MACHINES]]
    return " ".join(number_of(machine, fleet) for machine in found if machine)


def _cut(text: str, limit: int) -> str:
    plain = " ".join(text.split()).replace('"', "'")
    return plain if len(plain) <= limit else plain[: limit - 1].rstrip() + "…"
