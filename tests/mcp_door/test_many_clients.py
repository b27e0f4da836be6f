"""Many clients at once lose and double nothing. The full half minute with fifty is `make bench-mcp`."""

from __future__ import annotations

import asyncio
from pathlib import Path

from benchmarks.mcp_clients import run
from tests.workbench import running_workbench

CLIENTS, ROUNDS = 20, 4


def test_many_clients_at_once_lose_and_double_nothing(tmp_path: Path) -> None:
    with running_workbench(tmp_path, DATABASE_PATIENCE_SECONDS="60") as workbench:
        works = asyncio.run(
            run(f"{workbench.url}/mcp", workbench.database, clients=CLIENTS, goes_on=lambda number: number < ROUNDS)
        )
    assert sum(len(work.titles) for work in works) == CLIENTS * (ROUNDS - 1)  # each deletes its last one
