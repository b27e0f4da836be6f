"""What became of a call that was to be completed, as JSON, whatever the domain."""

from __future__ import annotations

from typing import Any

from engine.border.json_form import to_json
from engine.completing.values import Composition

_KEPT_INSIDE = ("tool_name", "partial", "asked_for", "read_as", "settled", "offer")


def write_composition(composition: Composition) -> dict[str, Any]:
    """Spec 5's result; `composed_input` is the first call's arguments, `calls` has all of them with provenance."""
    said = {name: part for name, part in to_json(composition, named=True).items() if name not in _KEPT_INSIDE}
    head = {name: said.pop(name) for name in ("status", "reason", "message")}
    if composition.calls:
        said["calls"] = [
            {**to_json(each.call), "before": dict(each.before), "added": each.added, "confidence": each.confidence}
            for each in composition.calls
        ]
        if composition.status == "completed":
            head["composed_input"] = composition.calls[0].call.parameters
    if composition.suggestions:
        said["suggestions"] = [
            {"label": each.pop("label"), "tool_name": each.pop("tool_name"), **each} for each in said["suggestions"]
        ]
    else:
        del said["more"]
    for factor in said["ledger"]:
        del factor["span"]
    return {**head, **said}
