"""How often a test repeats what it tries: a part of it in `make test`, all of it in `make test-all`."""

from __future__ import annotations

import os

VARIABLE = "EVERY_ROUND"
"""Set by `make test-all` and `benchmarks.long_run`."""


def rounds(few: int, every: int) -> int:
    return every if os.environ.get(VARIABLE) else few
