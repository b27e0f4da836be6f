"""Deciders by name, for a domain: the rule-based engine, under which policies and thresholds, and the baseline."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from domains.loading import TASKS, load_domain, read_policy_path
from engine.decider import DECIDER_NAME, RuleDecider
from engine.decision import Decider
from engine.domain import Domain
from engine.policy.values import Policy

BASELINE = "baseline"


def make_engine(*policies: Policy, domain: str = TASKS) -> RuleDecider:
    """The engine of a domain. A policy that is given stands in for the bundled one of its language."""
    return RuleDecider(load_domain(domain), *policies)


def make_decider(domain: Domain, *policies: Policy) -> Decider:
    """The decider that a domain is read by: its own, or the rule-based engine. A policy that is given stands in for the
    bundled one of its language."""
    if domain.conduct:
        from engine.completing.values import DEFAULT_SETTINGS  # late, with what it brings along

        return domain.conduct.make_decider(DEFAULT_SETTINGS, *policies)
    return RuleDecider(domain, *policies)


def make_tuned_engine(changes: Mapping[str, float], domain: str = TASKS) -> RuleDecider:
    """The same with other thresholds, in every language."""
    from engine.policy.tuning import TunedDecider  # late, as the baseline: not every start needs it

    return TunedDecider(load_domain(domain), changes)


def load_decider(name: str = DECIDER_NAME, policy_path: Path | None = None, domain: str = TASKS) -> Decider:
    """`engine` (with the policy of a file or folder, if named) or `baseline`."""
    if name == BASELINE:
        if domain != TASKS:
            raise ValueError(f"the {BASELINE} knows the {TASKS} only, not the {domain}")
        from domains.tasks.baseline.decider import BaselineDecider  # late: few runs ask for it

        return BaselineDecider()
    if name != DECIDER_NAME:
        raise ValueError(f"there is no decider called {name!r}; there are: {DECIDER_NAME}, {BASELINE}")
    found = load_domain(domain)
    if found.conduct:
        return make_decider(found)
    return make_engine(*((read_policy_path(policy_path, domain),) if policy_path else ()), domain=domain)
