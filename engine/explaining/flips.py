"""What would flip a decision: the smallest changes after which it would be another one.

Every flip was tried: it carries the text, the context and the policy with which it was decided otherwise.
The search is bounded by a number of runs and by time; what was found by then is returned, and `complete` says
whether anything was left untried.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.catalogue.facts import Catalogue
from engine.decision import Context, Decision
from engine.explaining.anatomy import ReadingDecider
from engine.explaining.flip_policy import try_talk, try_thresholds, try_weights, try_words_alone
from engine.explaining.flip_words import try_conversation, try_targets, try_words_added, try_words_left_out
from engine.explaining.trial import KINDS, MOST_RUNS, Flip, Gist, MakeIndex, OutOfRunsError, Trial, gist_of
from engine.targets.memory_index import MemoryIndex
from engine.values import Task

SHOWN_PER_KIND = 3
_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Flips:
    before: Decision
    found: tuple[Flip, ...]
    runs: int
    complete: bool


def find_flips(
    text: str,
    context: Context,
    tasks: Sequence[Task],
    decider: ReadingDecider,
    *,
    make_index: MakeIndex = MemoryIndex,
    most_runs: int = MOST_RUNS,
    seconds: float = _SECONDS,
) -> Flips:
    """The smallest changes of each kind that flip the decision. `tasks` are those of the context, and `make_index`
    makes of changed ones what the context has: a flip must not come from another way of looking tasks up."""
    trial = Trial(text, context, tasks, decider)
    trial.make_index, trial.most_runs, trial.deadline = make_index, most_runs, time.monotonic() + seconds
    searches: tuple[Callable[[Trial], None], ...] = (
        try_words_left_out,
        try_targets,
        try_conversation,
        try_thresholds,
        try_weights,
        try_talk,
        try_words_alone,
        try_words_added,
    )
    complete = True
    for search in searches:
        try:
            search(trial)
        except OutOfRunsError:
            complete = False
            break
    return Flips(trial.before, _smallest(trial.found, trial.catalogue), trial.runs, complete)


def _smallest(found: list[Flip], catalogue: Catalogue) -> tuple[Flip, ...]:
    """Of each kind the smallest, and of those that lead to the same decision only the first."""
    kept: list[Flip] = []
    for kind in KINDS:
        seen: set[tuple[str, Gist]] = set()
        of_kind: list[Flip] = []
        for flip in sorted((flip for flip in found if flip.kind == kind), key=lambda flip: flip.size):
            # Each word left out is news of its own; ten words that could be added and do the same are not.
            mark = (flip.change if kind != "word added" else "", gist_of(flip.after, catalogue))
            if mark not in seen:
                seen.add(mark)
                of_kind.append(flip)
        kept += of_kind[:SHOWN_PER_KIND]
    return tuple(kept)
