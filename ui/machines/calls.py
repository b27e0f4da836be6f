"""The calls of a composition as HTML, argument by argument: as they came, as they run, and the ways to complete one.

Pure: no streamlit, nothing decided.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from domains.machines.memory_fleet import MemoryFleet
from domains.machines.tools import TARGET
from engine.completing.values import ComposedCall, Composition
from engine.values import Argument
from ui.templates import draw
from ui.turns.provenance import OriginView, describe_origin

Labels = Mapping[str, str]
_TEMPLATE = "machines/calls"


class ValueView(NamedTuple):
    shown: str
    id: str = ""
    """What the label stands for."""


class ArgumentRow(NamedTuple):
    """An argument as it came and as it runs; None: missing, or left out."""

    name: str
    came: ValueView | None
    runs: ValueView | None
    origin: OriginView | None


class MachineCall(NamedTuple):
    tool_name: str
    added: bool
    rows: tuple[ArgumentRow, ...]


def label_ids(composition: Composition, fleet: MemoryFleet | None) -> dict[str, str]:
    """Ids of machines and commands that calls and suggestions name -> what people call them."""
    labels: dict[str, str] = {}
    named = [composed.call.parameters for composed in composition.calls]
    for values in (*named, *(suggestion.value for suggestion in composition.suggestions)):
        machine = fleet.find_by_id(str(values.get(TARGET, ""))) if fleet else None
        if machine:
            labels[machine.id] = machine.name
            labels |= {command.id: command.name for command in machine.commands}
    return labels


def calls_html(composition: Composition, labels: Labels) -> str:
    """Every call, argument by argument: as it came, as it is, and where each value is from."""
    return draw(_TEMPLATE, "calls", read_calls(composition, labels))


def read_calls(composition: Composition, labels: Labels) -> tuple[MachineCall, ...]:
    return tuple(_call(composed, labels) for composed in composition.calls)


def _call(composed: ComposedCall, labels: Labels) -> MachineCall:
    after = {argument.name: argument for argument in composed.call.arguments}
    names = dict.fromkeys((*composed.before, *after))
    rows = tuple(_row(name, composed.before, after.get(name), labels) for name in names)
    return MachineCall(composed.call.tool_name, composed.added, rows)


def _row(name: str, before: Mapping[str, object], argument: Argument | None, labels: Labels) -> ArgumentRow:
    came = _value(before[name], labels) if name in before else None
    if argument is None:
        return ArgumentRow(name, came, None, None)
    return ArgumentRow(name, came, _value(argument.value, labels), describe_origin(argument.provenance))


def _value(value: object, labels: Labels) -> ValueView:
    known = labels.get(str(value))
    if known:
        return ValueView(known, str(value))
    return ValueView(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))


def suggestions_html(composition: Composition, labels: Labels) -> str:
    """Each way to complete the call, with the arguments to call again with."""
    rows = [
        (each.label, f"{each.confidence:.2f}", [(name, _value(value, labels)) for name, value in each.value.items()])
        for each in composition.suggestions
    ]
    return draw(_TEMPLATE, "suggestions", rows)
