"""From which confidence on a recorded turn would act: that of its own moment, never today's in another language."""

from __future__ import annotations

from domains.loading import first_policy, load_policy
from engine.decision import Decision


def find_act_threshold(decision: Decision | None) -> float:
    """What the engine's decision was held to, as it says itself.

    Records of older versions do not: they get that of their language's policy, and where they have no language either,
    of the first one's.
    """
    if decision and decision.thresholds:
        return decision.thresholds.act
    try:
        policy = load_policy(decision.language) if decision and decision.language else first_policy()
    except KeyError:  # a language that there is no longer
        policy = first_policy()
    return policy.thresholds.act
