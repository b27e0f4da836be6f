"""Thresholds in an address: how Evaluate sends those that cost least to Policy, where they become edits of a draft.

An address rather than the session: a link and a reload bring them, too. They are in force nowhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from engine.policy.tuning import KNOBS

THRESHOLDS = "thresholds"
"""The name of the parameter: `act:0.62,read:0.4`."""
_KNOWN = {knob.name: knob for knob in KNOBS}


def write_thresholds(changes: Mapping[str, float]) -> str:
    return ",".join(f"{name}:{value:g}" for name, value in changes.items())


def read_thresholds(written: str) -> dict[str, float]:
    """What can be read of it: known names, each within its bounds."""
    found: dict[str, float] = {}
    for each in written.split(","):
        name, _, number = each.partition(":")
        try:
            value = float(number)
        except ValueError:
            continue
        knob = _KNOWN.get(name)
        if knob and math.isfinite(value):
            found[name] = min(knob.high, max(knob.low, value))
    return found
