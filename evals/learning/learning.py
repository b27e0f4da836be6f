"""Weights learned anew from the cases, as one edit of a draft; and what it is worth on cases left out of learning."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.editing.edits import SetWeights
from engine.policy.values import Policy
from evals.case import Case
from evals.learning.fitting import STEPS, Numbers, Sightings, count_right, fit
from evals.learning.rows import LearnedRow, observing, read_rows
from evals.progress import Progress

FIRMNESS = 4.0
"""How many cases it takes to move a weight as far as one alone would."""
FOLDS = 4
SMALLEST_MOVE = 0.02
"""What moves less is left as it is: nobody could tell the difference."""


@dataclass(frozen=True, slots=True)
class LearnedWeights:
    edit: SetWeights | None
    """None: no weight moved."""
    rows: int
    """Messages that were learned from."""
    before: int
    """Of these, read right by words, store and talk under today's table …"""
    after: int
    """… and under the new one."""
    left_out: int
    """Read right where each was left out of learning: what to expect of messages that nobody has seen."""

    @property
    def told(self) -> str:
        counts = f"{self.rows:,} messages: {self.before:,} were read right, now {self.after:,}"
        return f"{counts}; where each was left out of learning, {self.left_out:,}"


def learn_weights(
    cases: Iterable[Case], policy: Policy, domain: str, progress: Progress | None = None, firmness: float = FIRMNESS
) -> LearnedWeights | None:
    """None: it was cancelled. The bias and the calibration stay: how often people ask for what cannot be seen from
    cases, which somebody chose."""
    chosen = [case for case in cases if case.domain == domain and case.language == policy.language]
    progress = progress or Progress(0)
    progress.total = len(chosen) + (FOLDS + 1) * STEPS
    rows = _read_all(chosen, policy, domain, progress)
    if progress.cancelled:
        return None
    if not rows or not policy.weights.evidence:
        return LearnedWeights(None, len(rows), 0, 0, 0)
    intents = policy.catalogue.intents
    seen = Sightings(rows, policy.weights.evidence, intents)
    offset = np.tile(np.array(policy.weights.bias), (len(rows), 1))
    offset[seen.guarded, policy.catalogue.unknown] += policy.amounts.guard

    def step() -> bool:
        progress.step()
        return not progress.cancelled

    every = np.ones(len(rows))
    left_out = 0
    folds = np.array([zlib.crc32(row.case.encode()) % FOLDS for row in rows])
    for fold in range(FOLDS):
        aside = folds == fold
        left_out += count_right(seen, fit(seen, offset, every * ~aside, firmness, step), offset, aside)
    weights = fit(seen, offset, every, firmness, step)
    if progress.cancelled:
        return None
    everybody = every > 0
    return LearnedWeights(
        _as_edit(seen, weights, intents),
        len(rows),
        count_right(seen, seen.before, offset, everybody),
        count_right(seen, weights, offset, everybody),
        left_out,
    )


def _read_all(cases: list[Case], policy: Policy, domain: str, progress: Progress) -> list[LearnedRow]:
    decider, observer = RuleDecider(load_domain(domain), policy), observing(policy)
    rows: list[LearnedRow] = []
    for case in cases:
        if progress.cancelled:
            break
        rows += read_rows(case, decider, observer)
        progress.step()
    return rows


def _as_edit(seen: Sightings, weights: Numbers, intents: tuple[str, ...]) -> SetWeights | None:
    moved = np.argwhere(np.abs(weights - seen.before) >= SMALLEST_MOVE)
    values = tuple(
        (seen.names[name], intents[intent], round(float(weights[name, intent]), 2)) for name, intent in moved
    )
    return SetWeights(values) if values else None
