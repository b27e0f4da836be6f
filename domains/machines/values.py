"""Machines as the composer sees them: who they are, what they can be told, what they measure."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.values import SPARE


@dataclass(frozen=True, slots=True)
class ValueRange:
    """What a command such as `set_temperature` needs to be told."""

    unit: str
    minimum: float
    maximum: float


@dataclass(frozen=True, slots=True)
class MachineCommand:
    id: str
    name: str
    """In words joined by underscores, the action first: `turn_on_light`, `start_defrost`, `set_temperature`."""
    description: str = ""
    value: ValueRange | None = field(default=None, metadata=SPARE)
    """None: the command takes no value."""


@dataclass(frozen=True, slots=True)
class MachineMetric:
    name: str
    """For example `temperature`."""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine as the store gave it at one moment."""

    id: str
    name: str
    serial: str = ""
    place: str = ""
    description: str = ""
    connected: bool = True
    commands: tuple[MachineCommand, ...] = ()
    metrics: tuple[MachineMetric, ...] = ()
