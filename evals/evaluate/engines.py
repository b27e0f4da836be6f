"""The deciders that need no model, made from their spec: quick to load, for processes that help with a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from domains.deciders import make_decider
from domains.drafts import load_texts
from domains.loading import TASKS, load_domain, read_policy
from engine.decider import RuleDecider
from engine.decision import Decider
from engine.domain import Domain
from engine.policy.tuning import TunedDecider
from engine.policy.values import Policy
from evals.evaluate.specs import DeciderError, DeciderSpec


class SavedPolicy(NamedTuple):
    """A version of a policy, as its files."""

    language: str
    texts: Mapping[str, str]


def load_policies(saved: Sequence[SavedPolicy], domain: str) -> tuple[Policy, ...]:
    return tuple(load_texts(domain, each.language, each.texts) for each in saved)


def make_quick(spec: DeciderSpec, domain_name: str = TASKS, saved: Sequence[Policy] = ()) -> Decider:
    """The baseline, or the engine of any other kind of decider. DeciderError or PolicyError where it cannot be made."""
    if spec.kind == "baseline":
        return _make_baseline(domain_name)
    return _make_engine(spec, load_domain(domain_name), saved)


def _make_engine(spec: DeciderSpec, domain: Domain, saved: Sequence[Policy]) -> Decider:
    if domain.conduct:
        if spec.is_altered:
            raise DeciderError(f"{domain.name} are read in their own way: no policy or threshold can be given")
        return make_decider(domain)
    if len(saved) != len(spec.saved):
        raise DeciderError(f"{spec.name}: a saved version of the policy needs the store that it is in")
    policies = (*saved, *((read_policy(spec.policy, spec.name, domain.name),) if spec.policy else ()))
    return TunedDecider(domain, spec.thresholds, *policies) if spec.thresholds else RuleDecider(domain, *policies)


def _make_baseline(domain: str) -> Decider:
    if domain != TASKS:
        raise DeciderError(f"the baseline knows the {TASKS} only, not the {domain}")
    from domains.tasks.baseline.decider import BaselineDecider  # late: few runs ask for it

    return BaselineDecider()
