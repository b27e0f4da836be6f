"""Variations of a message run through its decider; those that are decided otherwise are kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.catalogue.facts import Catalogue
from engine.decision import Context, Decision, TaskIndex
from engine.explaining.anatomy import ReadingDecider
from engine.policy.values import Policy
from engine.targets.memory_index import MemoryIndex
from engine.values import Task

Kind = Literal["word left out", "word added", "target", "conversation", "threshold", "weight", "talk"]
KINDS: tuple[Kind, ...] = ("word left out", "word added", "target", "conversation", "threshold", "weight", "talk")
MakeIndex = Callable[[tuple[Task, ...]], TaskIndex]
MOST_RUNS = 700


@dataclass(frozen=True, slots=True)
class Gist:
    """What counts as the decision here: what is done, as what, why, and about what.

    The wording of a title is no part of it: leaving out any word of "buy oat milk" would flip that.
    """

    action: str
    intent: str
    reason: str
    targets: tuple[str, ...]
    """For each call, also one that waits: the tool and what it acts on."""


def gist_of(decision: Decision, catalogue: Catalogue) -> Gist:
    calls = decision.calls or ((decision.pending.call,) if decision.pending else ())
    targets = tuple(f"{call.tool_name} {catalogue.target_of(call) or ''}".strip() for call in calls)
    return Gist(decision.action, decision.intent, str(decision.reason), targets)


@dataclass(frozen=True, slots=True)
class Flip:
    kind: Kind
    change: str
    """In words: what would have to be different."""
    size: float
    """Within a kind, a smaller change comes first."""
    text: str
    context: Context
    policy: Policy | None
    """None: the policy of the decider as it is."""
    after: Decision
    rule: str = ""
    """The threshold or the piece of evidence whose number changes; see `engine.policy.rule_places`."""


class OutOfRunsError(Exception):
    """The search has used up its runs or its time."""


class Trial:
    """Runs the decider on variations and keeps those that are decided otherwise."""

    def __init__(self, text: str, context: Context, tasks: Sequence[Task], decider: ReadingDecider) -> None:
        self.text, self.context, self.tasks, self.decider = text, context, tuple(tasks), decider
        self.make_index: MakeIndex = MemoryIndex
        self.most_runs, self.deadline = MOST_RUNS, float("inf")
        self.before = decider.decide(text, context)
        self.catalogue = decider.policy_of(text, context).catalogue
        self.gist = gist_of(self.before, self.catalogue)
        self.runs = 0
        self.found: list[Flip] = []

    def flips(self, text: str | None = None, context: Context | None = None, policy: Policy | None = None) -> bool:
        return self._decide(text, context, policy) is not None

    def keep(
        self,
        kind: Kind,
        change: str,
        size: float,
        text: str | None = None,
        context: Context | None = None,
        policy: Policy | None = None,
        rule: str = "",
    ) -> bool:
        """Try the variation and keep it if the decision is another one."""
        after = self._decide(text, context, policy)
        if after is None:
            return False
        said = self.text if text is None else text
        self.found.append(Flip(kind, change, size, said, context or self.context, policy, after, rule))
        return True

    def _decide(self, text: str | None, context: Context | None, policy: Policy | None) -> Decision | None:
        if self.runs >= self.most_runs or time.monotonic() > self.deadline:
            raise OutOfRunsError
        self.runs += 1
        said = self.text if text is None else text
        decider = self.decider.with_policy(policy) if policy else self.decider
        after = decider.decide(said, context or self.context)
        return after if gist_of(after, self.catalogue) != self.gist else None
