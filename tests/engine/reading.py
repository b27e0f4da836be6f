"""Who decides in tests of what is read: the engine as it is, but that it asks about nothing it read. When a change that
was read is asked about first is held by `test_doubts.py` and by the offers in `tests/assistant/follow_ups.yaml`."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.doubting.asking import FACET
from engine.policy.values import Policy


@cache
def make_reader() -> RuleDecider:
    domain = load_domain()
    return RuleDecider(domain, *map(_without_doubt, domain.policies.values()))


def _without_doubt(policy: Policy) -> Policy:
    facets = {name: weights for name, weights in policy.talk.facets.items() if name != FACET}
    return replace(policy, talk=replace(policy.talk, facets=facets))
