"""The fleet as cards: who and where, connected or not, the state, the main metric and its course. No streamlit.

Everything that came from outside goes through `escape`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape

from db.machine_views import FleetView, MachineView, MetricView
from engine.machine_report import describe_value
from ui.machines.sparkline import sparkline_html

STATE_WORDS: dict[str, str] = {
    "power": "power",
    "light": "light",
    "defrost": "defrost",
    "cycle": "cycle",
}
ACTIVE_STATES = frozenset({"on", "running", "open"})


def fleet_html(fleet: FleetView, changed: Mapping[str, str]) -> str:
    """`changed`: what the last turn told which machine. Those come first, so that the change is in sight."""
    ranked = sorted(fleet.machines, key=lambda view: view.machine.id not in changed)
    cards = "".join(_card(view, changed.get(view.machine.id, "")) for view in ranked)
    hidden = fleet.total - len(fleet.machines)
    more = f'<p class="tl-muted tl-small">and {hidden:,} more</p>' if hidden > 0 else ""
    return f'<div class="tm-fleet">{cards}</div>{more}'


def _card(view: MachineView, mark: str) -> str:
    machine = view.machine
    linked = '<span class="tm-link tm-linked">● connected</span>'
    link = linked if machine.connected else '<span class="tm-link">○ not connected</span>'
    classes = " ".join(
        name for name, on in (("tm-card", True), ("tm-silent", not machine.connected), ("tl-changed", mark)) if on
    )
    where = " · ".join(part for part in (machine.place, machine.serial) if part)
    label = f' <span class="tl-chip tl-mark">{escape(mark)}</span>' if mark else ""
    return (
        f'<article class="{classes}" aria-label="{escape(machine.name)}">'
        f'<header><b title="{escape(machine.description)}">{escape(machine.name)}</b>{label}{link}</header>'
        f'<div class="tm-body"><div><p class="tm-where">{escape(where)}</p>{_rest(view)}</div>{_main(view)}</div>'
        f"{_states(machine.state)}</article>"
    )


def _main(view: MachineView) -> str:
    if not view.metrics:
        return ""
    first = view.metrics[0]
    target = view.machine.state.get("target_temperature") if first.name == "temperature" else None
    goal = f'<span class="tl-muted" title="the temperature it is set to">→ {escape(target)}</span>' if target else ""
    spark = sparkline_html([each.value for each in view.course], f"{first.name} over the last hours")
    return f'<div class="tm-main"><span class="tm-value">{escape(_value(first))}</span>{goal}{spark}</div>'


def _rest(view: MachineView) -> str:
    """The other metrics; of a machine that is not connected, since when it is silent."""
    if not view.machine.connected:
        return _since(view.metrics[0]) if view.metrics else ""
    said = " · ".join(_described(metric) for metric in view.metrics[1:] if metric.latest)
    return f'<p class="tm-rest">{escape(said)}</p>' if said else ""


def _value(metric: MetricView) -> str:
    return describe_value(metric.name, metric.latest.value, metric.unit, "en") if metric.latest else "–"


def _described(metric: MetricView) -> str:
    value = _value(metric)
    return value if metric.name in ("door", "energy") else f"{value} {metric.name.replace('_', ' ')}"


def _since(metric: MetricView) -> str:
    if metric.latest is None:
        return ""
    moment = datetime.fromtimestamp(metric.latest.at, UTC).astimezone()
    return f'<p class="tm-rest">last heard from {moment:%d %b, %H:%M}</p>'


def _states(state: Mapping[str, str]) -> str:
    chips = "".join(
        f'<li class="{"tm-active" if value in ACTIVE_STATES else ""}">{escape(STATE_WORDS.get(key, key))} '
        f"<b>{escape(value)}</b></li>"
        for key, value in state.items()
        if key != "target_temperature"
    )
    return f'<ul class="tm-states">{chips}</ul>' if chips else ""
