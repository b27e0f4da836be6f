"""From which confidence on a recorded turn would act: that of its own moment, never today's in another language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domains.loading import first_policy, load_policy
from engine.border.record import read_record


def find_act_threshold(bodies: Mapping[str, Mapping[str, Any]]) -> float:
    """What the engine's decision was held to, as its record says.

    Records of older versions do not: they get that of their language's policy, and where they have no language either,
    of the first one's.
    """
    decision = read_record(bodies["engine"]) if "engine" in bodies else None
    if decision and decision.thresholds:
        return decision.thresholds.act
    try:
        policy = load_policy(decision.language) if decision and decision.language else first_policy()
    except KeyError:  # a language that there is no longer
        policy = first_policy()
    return policy.thresholds.act
