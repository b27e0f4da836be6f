"""A fixed sample of the public utterances: what a model that takes a second a message can be measured on.

The rows are the same each time: task rows in turn from each language and intent, so that rare ones count.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from evals.public_data import PublicRow, load_rows

_TASK_SEED, _NEGATIVE_SEED = 2, 3


def load_sample(folder: Path, tasks: int, negatives: int, split: str = "dev") -> list[PublicRow]:
    rows = load_rows(folder, split)
    return sample_tasks(rows, tasks) + sample_negatives(rows, negatives)


def sample_tasks(rows: Sequence[PublicRow], count: int) -> list[PublicRow]:
    groups: defaultdict[tuple[str, str], list[PublicRow]] = defaultdict(list)
    for row in rows:
        if row.tier == "tasks" and row.strict:
            groups[row.language, row.accepted[0]].append(row)
    for key in sorted(groups):
        random.Random(_TASK_SEED).shuffle(groups[key])  # noqa: S311 - nothing secret
    queues, picked = [groups[key] for key in sorted(groups)], []
    while len(picked) < count and any(queues):
        picked += [queue.pop() for queue in queues if queue]
    return picked[:count]


def sample_negatives(rows: Sequence[PublicRow], count: int) -> list[PublicRow]:
    rest = [row for row in rows if row.tier == "negatives"]
    random.Random(_NEGATIVE_SEED).shuffle(rest)  # noqa: S311 - nothing secret
    return rest[:count]
