"""Twenty people chat at once for a minute: `make bench-sessions`.

Real sessions against the running server, two for each of ten people. Every message is acknowledged on the page
before the next one is sent; at the end the store must hold exactly what was acknowledged, nothing lost or doubled.
The LLM lane answers beside the engine, from the embedded model where it is installed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.streamlit_session import StreamlitSession
from db.connection import Database
from db.tasks.listing import TaskQuery
from db.tasks.service import TaskService
from db.users import create_user, find_user
from tests.workbench import start_workbench
from ui.resources import now_here

PEOPLE, SESSIONS_EACH = 10, 2


async def chat(url: str, handle: str, name: str, seconds: float) -> tuple[list[str], list[float], list[str]]:
    """What this session added, how long each message took, and the errors that the page showed."""
    added: list[str] = []
    times: list[float] = []
    async with StreamlitSession(url, "chat", user=handle) as session:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            title = f"errand {name} number {len(added)}"
            times.append(await session.say(f"add a task called {title}", f"Added '{title}'"))
            added.append(title)
        return added, times, session.errors


def titles_of(database: Database, handle: str) -> list[str]:
    with database.read() as session:
        user = find_user(session, handle)
        assert user
        return [task.title for task in TaskService(session, user, now_here).find_all(TaskQuery())]


def spent_seconds(process: int) -> float | None:
    """Processor time of the server so far; None where the system does not tell it this way."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def run(url: str, database: Database, seconds: float, server: int) -> None:
    handles = [f"person-{number}" for number in range(PEOPLE)]
    with database.write() as session:
        for handle in handles:
            create_user(session, handle, handle=handle)
    names = [(handle, f"{handle[7:]}{'ab'[place]}") for handle in handles for place in range(SESSIONS_EACH)]
    spent, spent_here = spent_seconds(server), time.process_time()
    results = await asyncio.gather(*(chat(url, handle, name, seconds) for handle, name in names))
    spent_here = time.process_time() - spent_here
    acknowledged: dict[str, list[str]] = {handle: [] for handle in handles}
    for (handle, _), (added, _, errors) in zip(names, results, strict=True):
        acknowledged[handle] += added
        assert not errors, errors
    for handle in handles:
        assert sorted(titles_of(database, handle)) == sorted(acknowledged[handle]), f"{handle}: lost or doubled"
    times = sorted(each for _, times, _ in results for each in times)
    rate = f"{len(times)} messages in {seconds:g} s ({len(times) / seconds:.1f} a second)"
    print(f"{len(names)} sessions, {rate}, no error, nothing lost or doubled")
    if spent is not None and (now := spent_seconds(server)):
        print(
            f"processor time of the server: {(now - spent) * 1000 / len(times):.0f} ms a message, "
            f"of these clients, on the same cores: {spent_here * 1000 / len(times):.0f} ms"
        )
    median, slow = statistics.median(times), times[int(len(times) * 0.95)]
    print(f"until the reply is drawn: median {median:.0f} ms, p95 {slow:.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--llm", choices=("auto", "off"), default="auto")
    options = parser.parse_args()
    usual = {"REFRESH_SECONDS": "2", "DATABASE_PATIENCE_SECONDS": "30", "llm": options.llm}
    with tempfile.TemporaryDirectory() as folder:
        workbench, server = start_workbench(Path(folder), **usual)  # type: ignore[arg-type]
        try:
            asyncio.run(run(workbench.url, workbench.database, options.seconds, server.pid))
        finally:
            server.terminate()
            server.wait(timeout=30)


if __name__ == "__main__":
    main()
