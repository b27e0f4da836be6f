"""Many clients at once lose and double nothing. The full half minute with fifty is `make bench-mcp`."""

from __future__ import annotations

import asyncio

from benchmarks.mcp_clients import run
from tests.rounds import rounds
from tests.workbench import Workbench

CLIENTS, PEOPLE, ROUNDS = rounds(10, 20), 4, 4


def test_many_clients_at_once_lose_and_double_nothing(workbench: Workbench) -> None:
    url, database = f"{workbench.url}/mcp", workbench.database
    works = asyncio.run(run(url, database, clients=CLIENTS, people=PEOPLE, goes_on=lambda number: number < ROUNDS))
    assert sum(len(work.titles) for work in works) == CLIENTS * (ROUNDS - 1)  # each deletes its last one
