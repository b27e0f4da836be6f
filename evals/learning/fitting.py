"""A multinomial logistic regression that begins with today's table: a weight moves as far as the cases move it, and no
further. What they say nothing about stays as it was learned from far more messages than there are cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from engine.policy.weights import Vector
from evals.learning.rows import LearnedRow

STEPS = 120
FEWEST = 3
"""In so many rows an observation that has no weight yet must be seen to get one."""
_PACE = 0.5
_MOMENTUM = 0.9

Numbers = np.ndarray


class Sightings:
    """The rows as numbers: which observation stands in which row."""

    def __init__(self, rows: Sequence[LearnedRow], table: Mapping[str, Vector], intents: tuple[str, ...]) -> None:
        counts = Counter(name for row in rows for name in set(row.names))
        self.names = sorted(name for name in counts if name in table or counts[name] >= FEWEST)
        place = {name: number for number, name in enumerate(self.names)}
        pairs = [(number, place[name]) for number, row in enumerate(rows) for name in row.names if name in place]
        self.row_of = np.array([row for row, _ in pairs], dtype=np.int64)
        self.name_of = np.array([name for _, name in pairs], dtype=np.int64)
        nothing = (0.0,) * len(intents)
        self.before = np.array([table.get(name, nothing) for name in self.names]).reshape(-1, len(intents))
        self.right = np.array([[intent in row.intents for intent in intents] for row in rows], dtype=bool)
        self.guarded = np.array([row.guarded for row in rows], dtype=bool)

    def add_up(self, weights: Numbers, offset: Numbers) -> Numbers:
        """The scores of every row."""
        total = offset.copy()
        for intent in range(weights.shape[1]):
            added = np.bincount(self.row_of, weights[self.name_of, intent], minlength=len(total))
            total[:, intent] += added
        return total

    def spread(self, errors: Numbers) -> Numbers:
        """What every row says about the weights of what was seen in it."""
        columns = [
            np.bincount(self.name_of, errors[self.row_of, intent], minlength=len(self.names))
            for intent in range(errors.shape[1])
        ]
        return np.stack(columns, axis=1)


def shares_of(scores: Numbers) -> Numbers:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def fit(
    seen: Sightings, offset: Numbers, counted: Numbers, firmness: float, step: Callable[[], bool] | None = None
) -> Numbers:
    """The weights after learning from the rows that are `counted`. `firmness` says how hard it is to move a weight;
    `step` is told of each step, and ends it early where it says no."""
    weights, drift = seen.before.copy(), np.zeros_like(seen.before)
    # As long a step as the most frequent observation allows: what is seen once moves at the same pace.
    often = np.bincount(seen.name_of, counted[seen.row_of], minlength=len(seen.names))
    pace = (_PACE / (firmness + often))[:, None]
    for _ in range(STEPS):
        shares = shares_of(seen.add_up(weights, offset))
        right = np.where(seen.right, shares, 0.0)
        # Where two intents are right, neither is pressed against the other.
        wanted = right / np.maximum(right.sum(axis=1, keepdims=True), 1e-12)
        uphill = seen.spread((wanted - shares) * counted[:, None]) - firmness * (weights - seen.before)
        drift = _MOMENTUM * drift + pace * uphill * (1 - _MOMENTUM)
        weights = weights + drift
        if step and not step():
            break
    return np.asarray(weights)


def count_right(seen: Sightings, weights: Numbers, offset: Numbers, which: Numbers) -> int:
    best = seen.add_up(weights, offset).argmax(axis=1)
    return int(np.count_nonzero(seen.right[np.arange(len(best)), best] & which))
