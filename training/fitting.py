"""A multinomial logistic regression over named observations, with what is known already as an offset."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from sklearn.isotonic import IsotonicRegression

from engine.policy.weights import SURROUNDINGS
from training.rows import Row

FEWEST_SIGHTINGS = 3
SCALES = {"frame:": 2.5, "lead:": 2.5, "guard:": 2.5, **dict.fromkeys(SURROUNDINGS, 2.0)}
"""Frames and what stands around the words are regularised less than words: they carry over to new sources."""
LOWEST_WINNER = 0.3
CURVE_TRUST = 200
"""So many held-out requests make the calibration curve count half."""
HELD_OUT = 5
"""Every fifth real row, or dialogue, is kept aside when the confidence is calibrated."""
NOTHING_FOR_ONE = 6
"""So many messages that ask for nothing come for each that asks for something: about what people say to a task list."""
GRID = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)


class Table:
    """Rows as a sparse matrix over the observations that were seen often enough."""

    def __init__(self, seen: Sequence[Sequence[str]]) -> None:
        counts = collections.Counter(name for names in seen for name in names)
        self.names = sorted(name for name, count in counts.items() if count >= FEWEST_SIGHTINGS)
        self.place = {name: place for place, name in enumerate(self.names)}
        self.scales = np.array([SCALES.get(name.partition(":")[0] + ":", 1.0) for name in self.names])

    def matrix(self, seen: Sequence[Sequence[str]]) -> csr_matrix:
        columns: list[int] = []
        starts = [0]
        for names in seen:
            columns += [self.place[name] for name in names if name in self.place]
            starts.append(len(columns))
        return csr_matrix((self.scales[columns], columns, starts), shape=(len(seen), len(self.names)))


@dataclass(frozen=True)
class Model:
    weights: np.ndarray
    """Observations by intents, in the scale of the matrix."""
    bias: np.ndarray

    def shares(self, matrix: csr_matrix, offset: np.ndarray | None = None) -> np.ndarray:
        scores = matrix @ self.weights + self.bias
        return softmax(scores if offset is None else scores + offset)


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(powers / powers.sum(1, keepdims=True))


def fit(
    matrix: csr_matrix,
    wanted: np.ndarray,
    weight: np.ndarray,
    classes: int,
    strength: float = 1.0,
    offset: np.ndarray | None = None,
    steps: int = 250,
) -> Model:
    columns, turned = matrix.shape[1], matrix.T.tocsr()
    rows = np.arange(len(wanted))

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        table = flat.reshape(columns + 1, classes)
        scores = matrix @ table[:-1] + table[-1]
        if offset is not None:
            scores = scores + offset
        shares = softmax(scores)
        lost = -(weight * np.log(np.maximum(shares[rows, wanted], 1e-30))).sum()
        shares[rows, wanted] -= 1.0
        shares *= weight[:, None]
        gradient = np.vstack([turned @ shares + table[:-1] / strength, shares.sum(0)])
        return lost + (table[:-1] ** 2).sum() / (2 * strength), gradient.ravel()

    start = np.zeros((columns + 1) * classes)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": steps, "maxfun": steps * 2})
    table = found.x.reshape(columns + 1, classes)
    return Model(table[:-1], table[-1])


def held_out(rows: Sequence[Row], real: int) -> np.ndarray:
    """Which rows are kept aside: a dialogue as a whole, none of the sentences made from frames."""
    groups: dict[str, int] = {}
    aside = np.zeros(len(rows), dtype=bool)
    for place, row in enumerate(rows[:real]):
        number = groups.setdefault(row.group, len(groups)) if row.group else place
        aside[place] = number % HELD_OUT == 0
    return aside


def make_curve(shares: np.ndarray, wanted: np.ndarray, unknown: int) -> list[list[float]]:
    """Raw probability of the winner -> share that was right, on real rows the model did not see and where it read a
    request: that is what it acts on. It is calibrated for a stream in which few messages ask for something."""
    winner = shares.argmax(1)
    asked = int((wanted != unknown).sum())
    often = np.where(wanted == unknown, NOTHING_FOR_ONE * asked / max(1, len(wanted) - asked), 1.0)
    read = winner != unknown
    curve = IsotonicRegression(y_min=0.02, y_max=0.999, out_of_bounds="clip")
    curve.fit(shares.max(1)[read], (winner == wanted)[read], sample_weight=often[read])
    # With few held-out requests the curve says little: then the raw probability stays closer to itself.
    trust = asked / (asked + CURVE_TRUST)
    found = [trust * float(y) + (1 - trust) * x for x, y in zip(GRID, curve.predict(GRID), strict=True)]
    # No winner of seven is below LOWEST_WINNER; only the steps of a ledger are, and they begin at nothing.
    points = [[x, y if x > LOWEST_WINNER else x] for x, y in zip(GRID, found, strict=True)]
    for lower, higher in zip(reversed(points[:-1]), reversed(points[1:]), strict=True):
        lower[1] = min(lower[1], higher[1])
    return [[x, round(y, 4)] for x, y in points]
