"""What would flip a decision: the smallest changes after which it would be another one.

Every flip was tried: it carries the text, the context and the policy with which the engine decided otherwise.
The search is bounded by a number of runs and by time; what was found by then is returned, and `complete` says
whether anything was left untried.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.decider import RuleDecider
from engine.decision import Context, Decision, TaskIndex
from engine.policy.values import Policy
from engine.targets.memory_index import MemoryIndex
from engine.values import Task

Kind = Literal["word left out", "word added", "task", "conversation", "threshold", "weight"]
KINDS: tuple[Kind, ...] = ("word left out", "word added", "task", "conversation", "threshold", "weight")
MakeIndex = Callable[[tuple[Task, ...]], TaskIndex]
MOST_RUNS = 700
SHOWN_PER_KIND = 3
_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What counts as the decision here: what is done, as what, why, and about which tasks.

    The wording of a title is no part of it: leaving out any word of "buy oat milk" would flip that.
    """

    action: str
    intent: str
    reason: str
    targets: tuple[str, ...]
    """For each call, also one that waits: the tool and the task."""


def verdict_of(decision: Decision) -> Verdict:
    calls = decision.calls or ((decision.pending.call,) if decision.pending else ())
    targets = tuple(f"{call.tool_name} {call.parameters.get('task_identifier', '')}".strip() for call in calls)
    return Verdict(decision.action, decision.intent, str(decision.reason), targets)


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


@dataclass(frozen=True, slots=True)
class Flips:
    before: Decision
    found: tuple[Flip, ...]
    runs: int
    complete: bool


class OutOfRunsError(Exception):
    """The search has used up its runs or its time."""


class Trial:
    """Runs the engine on variations and keeps those that are decided otherwise."""

    def __init__(self, text: str, context: Context, tasks: Sequence[Task], decider: RuleDecider) -> None:
        self.text, self.context, self.tasks, self.decider = text, context, tuple(tasks), decider
        self.make_index: MakeIndex = MemoryIndex
        self.most_runs, self.deadline = MOST_RUNS, float("inf")
        self.before = decider.decide(text, context)
        self._verdict = verdict_of(self.before)
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
        decider = RuleDecider(policy) if policy else self.decider
        after = decider.decide(said, context or self.context)
        return after if verdict_of(after) != self._verdict else None


def find_flips(
    text: str,
    context: Context,
    tasks: Sequence[Task],
    *,
    decider: RuleDecider | None = None,
    make_index: MakeIndex = MemoryIndex,
    most_runs: int = MOST_RUNS,
    seconds: float = _SECONDS,
) -> Flips:
    """The smallest changes of each kind that flip the decision. `tasks` are those of the context, and `make_index`
    makes of changed ones what the context has: a flip must not come from another way of looking tasks up."""
    from engine.explaining.flip_policy import try_thresholds, try_weights
    from engine.explaining.flip_words import try_conversation, try_tasks, try_words_added, try_words_left_out

    trial = Trial(text, context, tasks, decider or RuleDecider())
    trial.make_index, trial.most_runs, trial.deadline = make_index, most_runs, time.monotonic() + seconds
    searches: tuple[Callable[[Trial], None], ...] = (
        try_words_left_out,
        try_tasks,
        try_conversation,
        try_thresholds,
        try_weights,
        try_words_added,
    )
    complete = True
    for search in searches:
        try:
            search(trial)
        except OutOfRunsError:
            complete = False
            break
    return Flips(trial.before, _smallest(trial.found), trial.runs, complete)


def _smallest(found: list[Flip]) -> tuple[Flip, ...]:
    """Of each kind the smallest, and of those that lead to the same decision only the first."""
    kept: list[Flip] = []
    for kind in KINDS:
        seen: set[tuple[str, Verdict]] = set()
        of_kind: list[Flip] = []
        for flip in sorted((flip for flip in found if flip.kind == kind), key=lambda flip: flip.size):
            # Each word left out is news of its own; ten words that could be added and do the same are not.
            mark = (flip.change if kind != "word added" else "", verdict_of(flip.after))
            if mark not in seen:
                seen.add(mark)
                of_kind.append(flip)
        kept += of_kind[:SHOWN_PER_KIND]
    return tuple(kept)
