"""How the simulated machines behave: a pure function of a level, a state and a moment.

A metric has a level, without noise, at the moment when the state last changed. From there it drifts towards where
the state draws it, so the value at any later moment follows without any steps in between, however often one looks.
The noise comes from the machine's id and the moment: the same moment gives the same value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

ROOM_TEMPERATURE = 21.0
_KNOT_SECONDS = 600
"""The noise is smooth between moments this far apart."""
_DAY_SECONDS = 86_400
_DECIMALS = {"temperature": 1, "humidity": 0, "energy": 2, "door": 0}
_NOISE = {"temperature": 0.25, "humidity": 2.0}

MachineState = Mapping[str, str]


class LevelAt(NamedTuple):
    value: float
    at: int
    """Seconds since 1970."""


class Pull(NamedTuple):
    """Where a metric is drawn to, and how quickly: after `seconds`, two thirds of the way are done."""

    towards: float
    seconds: float


def measure(machine_id: str, metric: str, level: LevelAt, state: MachineState, at: int) -> float:
    """What the sensor says at the moment."""
    if metric == "door":
        return float(_is_door_open(machine_id, at))
    value = settle(metric, level, state, at) + _NOISE.get(metric, 0.0) * noise(machine_id, metric, at)
    if metric == "humidity":
        value = min(100.0, max(0.0, value))
    return round(value, _DECIMALS.get(metric, 1))


def settle(metric: str, level: LevelAt, state: MachineState, at: int) -> float:
    """The level at the moment, without noise. A moment before the level's own gives the level itself."""
    elapsed = max(0, at - level.at)
    if metric == "energy":
        return level.value + _draw(state) * elapsed / 3600
    pull = _pull(metric, state)
    if pull is None:
        return level.value
    return pull.towards + (level.value - pull.towards) * math.exp(-elapsed / pull.seconds)


def noise(machine_id: str, metric: str, at: int) -> float:
    """Smooth, between -1 and 1."""
    knot, inside = divmod(at, _KNOT_SECONDS)
    if not inside:
        return _hash(machine_id, metric, knot)
    share = inside / _KNOT_SECONDS
    share = share * share * (3 - 2 * share)
    return (1 - share) * _hash(machine_id, metric, knot) + share * _hash(machine_id, metric, knot + 1)


def _pull(metric: str, state: MachineState) -> Pull | None:
    on, defrosts = state.get("power", "on") == "on", state.get("defrost") == "running"
    if metric == "temperature":
        target = _number(state.get("target_temperature"), ROOM_TEMPERATURE)
        if not on:
            return Pull(ROOM_TEMPERATURE, 3 * 3600)
        return Pull(ROOM_TEMPERATURE, 3600) if defrosts else Pull(target, 1500)
    if metric == "humidity":
        return Pull(80.0, 1200) if on and defrosts else Pull(55.0 if on else 65.0, 3600)
    return None


def _draw(state: MachineState) -> float:
    """Kilowatts: cooling or heating, the defrost heater, the light."""
    if state.get("power", "on") != "on":
        return 0.002 + 0.01 * (state.get("light") == "on")
    return 0.15 + 0.35 * (state.get("defrost") == "running") + 0.01 * (state.get("light") == "on")


def _is_door_open(machine_id: str, at: int) -> bool:
    """Now and then, by day more often than by night; open for a knot of time."""
    knot = at // _KNOT_SECONDS
    by_day = 6 * 3600 <= at % _DAY_SECONDS < 20 * 3600
    return _hash(machine_id, "door", knot) > (0.86 if by_day else 0.98)


@lru_cache(maxsize=256)
def _hash(*parts: object) -> float:
    digest = blake2b("|".join(map(str, parts)).encode(), digest_size=4).digest()
    return int.from_bytes(digest) / 0x7FFFFFFF - 1.0


def _number(text: str | None, default: float) -> float:
    try:
        value = float(text) if text else default
    except ValueError:
        return default
    return value if math.isfinite(value) else default
