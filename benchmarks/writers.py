"""Many who write at once: 32 threads in each of 4 processes add tasks for one person, through the executor.

What was acknowledged must be in the store, once; numbers and the audit trail are without gaps or doubles. On SQLite,
then on a PostgreSQL server of its own, both keeping what they acknowledge through a power cut. `--restarts` stops
the server meanwhile and starts it again: then a change may fail, and of one whose answer was lost nobody knows.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from sqlmodel import select

from benchmarks.search import KINDS, opened
from db.connection import Database
from db.models import AuditRow, TaskRow, UserRow
from db.users import create_user
from tests.postgres import PostgresServer, restart_server

ROOT = Path(__file__).parent.parent
LOST = "it may be there or not"


def write(url: str, processes: int, threads: int, seconds: float, restarts: int) -> list[list[str]]:
    """What each try came to, and its title."""
    with ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8")) for _ in range(processes)]
        command = [sys.executable, "-m", "tests.db.writer", url]
        writers = [
            subprocess.Popen([*command, f"p{number}", str(threads), str(seconds)], cwd=ROOT, stdout=file)
            for number, file in enumerate(files)
        ]
        while restarts and not any(os.fstat(file.fileno()).st_size for file in files):
            time.sleep(0.1)  # until the first of them writes
        for _ in range(restarts):
            time.sleep(seconds / (restarts + 1))
            restart_server(PostgresServer.of(url))
        for writer in writers:
            writer.wait()
        for file in files:
            file.seek(0)
        return [line.rstrip("\n").split("\t") for file in files for line in file]


def check(database: Database, tries: list[list[str]]) -> None:
    done = [title for said, title in tries if said == "ok"]
    lost = {title for said, title in tries if LOST in said}
    failed = Counter(said for said, _ in tries if said != "ok" and LOST not in said)
    with database.read() as session:
        tasks = session.exec(select(TaskRow)).all()
        trail = session.exec(select(AuditRow)).all()
        user = session.exec(select(UserRow)).one()
    titles = [task.title for task in tasks]
    assert len(titles) == len(set(titles)), "doubled"
    assert set(done) <= set(titles), "lost"
    assert set(titles) - set(done) <= lost, "stored, but told as failed"
    assert sorted(task.number for task in tasks) == list(range(1, len(tasks) + 1)), "gaps"
    assert sorted(row.sequence for row in trail) == list(range(1, len(trail) + 1)), "gaps in the trail"
    assert user.next_number == len(tasks) + 1
    assert {row.task_id for row in trail if row.task_id} == {task.id for task in tasks}, "without a trail"
    kept = len(set(titles) - set(done))
    print(f"  {len(done)} acknowledged, all stored once; {len(lost)} without an answer, {kept} of them stored")
    for said, times in failed.items():
        print(f"  {times} times: {said}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--threads", type=int, default=32, help="in each process")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--on", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--restarts", type=int, default=0, help="of the PostgreSQL server, while they write")
    options = parser.parse_args()
    for kind in options.on:
        with opened(kind) as database:
            with database.write() as session:
                create_user(session, "Ada")
            restarts = options.restarts if kind == "postgresql" else 0
            tries = write(database.url, options.processes, options.threads, options.seconds, restarts)
            rate = sum(said == "ok" for said, _ in tries) / options.seconds
            print(f"{kind}: {options.processes} x {options.threads} threads, {rate:.0f} changes a second", flush=True)
            check(database, tries)


if __name__ == "__main__":
    main()
