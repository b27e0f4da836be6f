"""Fifty MCP clients work at once for half a minute: `make bench-mcp`.

Real clients of the SDK against the running workbench, five for each of ten people, in both eras of the protocol. Each
adds, lists, changes, completes and deletes tasks of its own; deleting is asked and answered. At the end the store must
hold exactly what was acknowledged, nothing lost or doubled, and the audit trail every call.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client

from db.clients.access_tokens import create_token
from db.clients.calls import list_client_calls
from db.connection import Database
from db.tasks.listing import TaskQuery
from db.tasks.service import TaskService
from db.users import User, create_user
from tests.workbench import running_workbench

PEOPLE = 10
GoesOn = Callable[[int], bool]
"""Whether a client goes on after this many rounds."""


@dataclass
class Work:
    """What one client did, as the server acknowledged it."""

    name: str
    titles: dict[str, bool] = field(default_factory=dict)
    """The tasks that must be there, and whether they are completed."""
    calls: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


async def say_yes(_context: object, _params: object) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={"yes": True})


async def call(client: Client, work: Work, tool: str, **arguments: Any) -> dict[str, Any]:
    began = time.perf_counter()
    answer = await client.call_tool(tool, arguments)
    work.times.append((time.perf_counter() - began) * 1000)
    # Deleting is two rows of the trail: that it was asked about, and that it was done.
    work.calls[tool] += 2 if tool == "delete_task" else 1
    content: dict[str, Any] = answer.structured_content
    if content.get("status") != "success":
        work.failures.append(f"{tool}: {content}")
    return content


async def one_round(client: Client, work: Work, number: int) -> None:
    title = f"{work.name} errand {number}"
    task = await call(client, work, "add_task", title=title)
    work.titles[title] = False
    step = number % 4
    if step == 1:
        await call(client, work, "complete_task", task_identifier=task["task_id"])
        work.titles[title] = True
    elif step == 2:
        await call(client, work, "update_task", task_identifier=task["task_id"], new_title=f"{title} again")
        work.titles[f"{title} again"] = work.titles.pop(title)
    elif step == 3:
        await call(client, work, "delete_task", task_identifier=task["task_id"])
        del work.titles[title]
        await call(client, work, "list_tasks", search=work.name, limit=5)


async def use(url: str, token: str, work: Work, era: str, goes_on: GoesOn) -> Work:
    info = types.Implementation(name=work.name, version="1")
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=era, client_info=info, elicitation_callback=say_yes) as client:
            number = 0
            while goes_on(number):
                await one_round(client, work, number)
                number += 1
    return work


async def run(url: str, database: Database, *, clients: int, goes_on: GoesOn, people: int = PEOPLE) -> list[Work]:
    """Let them all work, and hold the store to what they were told."""
    now = datetime.now(UTC)
    with database.write() as session:
        persons = [create_user(session, f"Client person {number}") for number in range(min(people, clients))]
        tokens = [create_token(session, person.id, "Benchmark", now=now)[0] for person in persons]
    works = [Work(f"client {number:02}") for number in range(clients)]
    await asyncio.gather(
        *(
            use(url, tokens[place % len(persons)], work, ("auto", "legacy")[place % 2], goes_on)
            for place, work in enumerate(works)
        )
    )
    for place, person in enumerate(persons):
        check(database, person, works[place :: len(persons)])
    return works


def check(database: Database, person: User, works: list[Work]) -> None:
    failures = [failure for work in works for failure in work.failures]
    assert not failures, failures[:3]
    with database.read() as session:
        found = TaskService(session, person, lambda: datetime.now(UTC)).find_all(TaskQuery())
        calls = list_client_calls(session, person.id, limit=1_000_000)
    expected = sorted(pair for work in works for pair in work.titles.items())
    assert sorted((task.title, task.completed) for task in found) == expected, f"{person.name}: lost or doubled"
    recorded = Counter((call.client, call.tool_name) for call in calls)
    acknowledged = Counter({(work.name, tool): count for work in works for tool, count in work.calls.items()})
    assert recorded == acknowledged, f"{person.name}: the audit trail differs"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--clients", type=int, default=50)
    options = parser.parse_args()
    usual = {"DATABASE_PATIENCE_SECONDS": "30"}
    with tempfile.TemporaryDirectory() as folder, running_workbench(Path(folder), **usual) as workbench:
        ends = time.monotonic() + options.seconds
        done = run(
            f"{workbench.url}/mcp",
            workbench.database,
            clients=options.clients,
            goes_on=lambda _number: time.monotonic() < ends,
        )
        works = asyncio.run(done)
    times = sorted(each for work in works for each in work.times)
    print(f"{len(works)} clients, {len(times)} calls in {options.seconds:g} s, no error, nothing lost or doubled")
    print(f"a call: median {statistics.median(times):.0f} ms, p95 {times[int(len(times) * 0.95)]:.0f} ms")


if __name__ == "__main__":
    main()
