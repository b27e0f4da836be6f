"""The engine with other thresholds than its policies': what each one does, how far it may go, and the decider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from engine.decider import RuleDecider
from engine.decision import Language, Thresholds
from engine.domain import Domain
from engine.policy.values import Policy


@dataclass(frozen=True, slots=True)
class Knob:
    """One threshold as people turn it."""

    name: str
    label: str
    low: float
    high: float
    help: str


KNOBS = (
    Knob(
        "act", "Act by itself from", 0.3, 1.0,
        "From this confidence on the engine acts without asking. Higher: it asks more often. Deleting always asks.",
    ),
    Knob(
        "read", "Take as a request from", 0.0, 0.9,
        "Below this confidence a message counts as not understood, and is answered rather than asked about.",
    ),
    Knob(
        "margin", "Ask between two readings within", 0.0, 0.5,
        "When two intents are closer than this and the engine may not act by itself, it asks which of them was meant.",
    ),
    Knob(
        "target", "A task is a candidate from", 0.3, 1.0,
        "How well a task must fit the words to be considered at all. Lower: more suggestions, more questions.",
    ),
    Knob(
        "sure_target", "A misspelt task is taken from", 0.3, 1.0,
        "A task found by similar spelling is acted on without a question only if it fits at least this well.",
    ),
    Knob(
        "target_margin", "Ask between two tasks within", 0.0, 0.5,
        "When two tasks fit almost equally well, closer than this, the engine asks which one was meant.",
    ),
)  # fmt: skip


def own_thresholds(policy: Policy) -> dict[str, float]:
    return asdict(policy.thresholds)


def find_problem(values: Mapping[str, float]) -> str | None:
    """What makes these thresholds contradict each other or leave their range, in a sentence."""
    limits = {**asdict(Thresholds()), **values}
    for knob in KNOBS:
        if not knob.low <= limits[knob.name] <= knob.high:
            return f"“{knob.label}” must lie between {knob.low:.2f} and {knob.high:.2f}."
    if limits["read"] > limits["act"]:
        return "A message must count as a request before the engine may act on it: “take” cannot be over “act”."
    if limits["target"] > limits["sure_target"]:
        return "A task must be a candidate before it is taken: “candidate” cannot be over “misspelt”."
    return None


def tune(policy: Policy, changes: Mapping[str, float]) -> Policy:
    """The policy with these thresholds; its version says so, because records name it."""
    changed = {name: value for name, value in changes.items() if value != getattr(policy.thresholds, name)}
    if not changed:
        return policy
    named = ", ".join(f"{name} {value:g}" for name, value in sorted(changed.items()))
    thresholds = replace(policy.thresholds, **changed)
    return policy.vary(thresholds=thresholds, version=f"{policy.version} with {named}")


class TunedDecider(RuleDecider):
    """The rule-based decider under changed thresholds, in every language."""

    def __init__(self, domain: Domain, changes: Mapping[str, float], *policies: Policy) -> None:
        super().__init__(domain, *policies)
        self._changes = dict(changes)
        self._tuned: dict[Language, Policy] = {}

    def policy_for(self, language: Language) -> Policy:
        if language not in self._tuned:  # kept: a policy makes its look-up tables once
            self._tuned[language] = tune(super().policy_for(language), self._changes)
        return self._tuned[language]
