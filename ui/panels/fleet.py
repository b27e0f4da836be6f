"""The fleet as cards: who and where, connected or not, the state, the main metric and its course. No streamlit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from db.machines.views import FleetView, MachineView, MetricView
from db.reach import MACHINES
from domains.loading import load_domain
from domains.machines.report import describe_value
from ui.panels.sparkline import Sparkline, make_sparkline
from ui.templates import draw

STATE_WORDS: dict[str, str] = {
    "power": "power",
    "light": "light",
    "defrost": "defrost",
    "cycle": "cycle",
}
ACTIVE_STATES = frozenset({"on", "running", "open"})


class StateView(NamedTuple):
    name: str
    value: str
    active: bool


@dataclass(frozen=True, slots=True)
class Card:
    name: str
    description: str
    where: str
    connected: bool
    mark: str
    """What the last turn told it."""
    rest: str
    """The other metrics; of a machine that is not connected, since when it is silent."""
    value: str
    """Of the main metric; empty: it measures nothing."""
    target: str
    sparkline: Sparkline | None
    states: tuple[StateView, ...]


def fleet_html(fleet: FleetView, changed: Mapping[str, str]) -> str:
    """`changed`: what the last turn told which machine. Those come first, so that the change is in sight."""
    ranked = sorted(fleet.machines, key=lambda view: view.machine.id not in changed)
    cards = [_card(view, changed.get(view.machine.id, "")) for view in ranked]
    hidden = fleet.total - len(fleet.machines)
    return draw("panels/fleet", "fleet", cards, f"{hidden:,}" if hidden > 0 else "")


def _card(view: MachineView, mark: str) -> Card:
    machine = view.machine
    first = view.metrics[0] if view.metrics else None
    target = machine.state.get("target_temperature") if first and first.name == "temperature" else None
    return Card(
        name=machine.name,
        description=machine.description,
        where=" · ".join(part for part in (machine.place, machine.serial) if part),
        connected=machine.connected,
        mark=mark,
        rest=_rest(view),
        value=_value(first) if first else "",
        target=target or "",
        sparkline=make_sparkline([each.value for each in view.course], f"{first.name} over the last hours")
        if first
        else None,
        states=tuple(
            StateView(STATE_WORDS.get(key, key), value, value in ACTIVE_STATES)
            for key, value in machine.state.items()
            if key != "target_temperature"
        ),
    )


def _rest(view: MachineView) -> str:
    if not view.machine.connected:
        return _since(view.metrics[0]) if view.metrics else ""
    return " · ".join(_described(metric) for metric in view.metrics[1:] if metric.latest)


def _value(metric: MetricView) -> str:
    return (
        describe_value(metric.name, metric.latest.value, metric.unit, load_domain(MACHINES).languages[0])
        if metric.latest
        else "–"
    )


def _described(metric: MetricView) -> str:
    value = _value(metric)
    return value if metric.name in ("door", "energy") else f"{value} {metric.name.replace('_', ' ')}"


def _since(metric: MetricView) -> str:
    if metric.latest is None:
        return ""
    moment = datetime.fromtimestamp(metric.latest.at, UTC).astimezone()
    return f"last heard from {moment:%d %b, %H:%M}"
