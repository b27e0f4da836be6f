"""The messages of a conversation that was played, each in the situation in which it was said.

To play a conversation takes a hundred times as long as to decide its messages: nearly all of that is the store. What
comes of it hangs on the decisions alone. So where a draft decides every one of these messages as before, from the same
answers of the store, the conversation comes to the same, and need not be played.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, NamedTuple

from engine.decider import RuleDecider
from engine.decision import Context, Decider, Decision
from engine.domain import Domain
from engine.editing.tracing import Trace, TracedPolicy
from engine.policy.values import Policy
from engine.targets.recorded_index import RecordingIndex, ReplayIndex
from engine.values import Task

_ONLY_SHOWN = frozenset(
    {"policy_version", "thresholds", "scores", "ledger", "confidence", "call_confidences", "steps", "elapsed_ms"}
)
"""How sure it was and why: shown and kept, and nothing else is done with it where the engine drives."""
_ACTED_ON = tuple(each.name for each in fields(Decision) if each.name not in _ONLY_SHOWN)


class NotAskedError(LookupError):
    """Something is asked of the store that was not asked of it then."""


class _AskedBefore(ReplayIndex):
    """Answers what was asked then, and nothing else."""

    def _recorded(self, question: str) -> tuple[Task, ...]:
        found = super()._recorded(question)
        if found is None:
            raise NotAskedError(question)
        return found


class PlayedMessage(NamedTuple):
    text: str
    context: Context
    decided: tuple[Any, ...]
    """All of the decision that something was done with."""
    trace: Trace
    """What the decision was held to."""

    def is_decided_otherwise(self, decider: Decider) -> bool:
        try:
            return _acted_on(decider.decide(self.text, self.context)) != self.decided
        except Exception:  # what was not asked of the store then, or a bug of the draft's: playing it will show
            return True


class NotingDecider(RuleDecider):
    """Decides as the policy says, and notes every message with its situation."""

    def __init__(self, domain: Domain, policy: Policy, traced: TracedPolicy) -> None:
        super().__init__(domain, policy)
        self._traced = traced
        self._tracing = RuleDecider(domain, traced.policy)
        self.messages: list[PlayedMessage] = []

    def decide(self, text: str, context: Context) -> Decision:
        decision = super().decide(text, context)
        asked = context.tasks
        if not isinstance(asked, RecordingIndex):
            raise TypeError("a conversation is played on a store whose answers are kept")
        then = replace(context, tasks=_AskedBefore(asked.tasks, dict(asked.lookups)))
        with self._traced.tracing() as trace:
            self._tracing.decide(text, then)
        self.messages.append(PlayedMessage(text, then, _acted_on(decision), trace))
        return decision


def _acted_on(decision: Decision) -> tuple[Any, ...]:
    return tuple(getattr(decision, name) for name in _ACTED_ON)
