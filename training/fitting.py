"""A logistic regression over named things, and the table of what came of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from training.talk_rows import Row

_LEAST_SEEN = 6
MOST_ROUNDS, CLOSE_ENOUGH = 2000, 1e-5
"""Ended earlier, what is learned leans to where it began: with 1e-3 a third more of the moves of batches that were left
out were wrong."""


def fit(rows: list[Row], strength: float) -> tuple[LogisticRegression, list[str]]:
    counts = Counter(name for things, *_ in rows for name in things)
    names = sorted(name for name, count in counts.items() if count >= _LEAST_SEEN)
    return LogisticRegression(C=strength, max_iter=MOST_ROUNDS, tol=CLOSE_ENOUGH).fit(
        matrix(rows, names), [move for _, move, *_ in rows], sample_weight=[weight for *_, weight, _ in rows]
    ), names


def matrix(rows: list[Row], names: list[str]) -> csr_matrix:
    place = {name: position for position, name in enumerate(names)}
    values, columns, starts = [], [], [0]
    for things, *_ in rows:
        for name, value in things.items():
            if name in place:
                columns.append(place[name])
                values.append(value)
        starts.append(len(columns))
    return csr_matrix((values, columns, starts), shape=(len(rows), len(names)))


def write_table(path: Path, data: dict[str, Any]) -> None:
    """`talk.json`, a line for each entry."""
    path.write_text(json.dumps(data, ensure_ascii=False).replace("], ", "],\n") + "\n", encoding="utf-8")
