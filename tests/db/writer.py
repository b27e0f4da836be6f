"""Processes that write tasks until they are told to stop, or killed. Run by `test_concurrency.py`.

Where there are several, they are forked before any of them opens the store, so that what takes long, the imports, is
loaded once. Every acknowledged change is a line on standard output, written only after the store has said yes.
"""

from __future__ import annotations

import itertools
import os
import sys
import threading
import time
from datetime import datetime

from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.users import find_user
from engine.values import make_call


def write_until(deadline: float, executor: Executor, name: str) -> None:
    """At least one, however long it has to wait for its turn."""
    for count in itertools.count():
        title = f"{name} task {count}"
        result = executor.execute(make_call("add_task", {"title": title}, "person"), Origin("person"))
        # One write call a line: lines of threads must not mix, and a killed process leaves whole lines.
        os.write(1, f"{'ok' if result.ok else 'failed ' + result.error_message}\t{title}\n".encode())
        if time.monotonic() > deadline:
            return


def main(url: str, process: str, threads: int, seconds: float) -> None:
    database = Database(url)
    with database.read() as session:
        user = find_user(session, "ada")
    if user is None:
        sys.exit("There is no user to write for.")
    executor = Executor(database, user, lambda: datetime.now().astimezone())
    deadline = time.monotonic() + seconds
    workers = [
        threading.Thread(target=write_until, args=(deadline, executor, f"{process}-{number}"))
        for number in range(threads)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def fork(count: int, url: str, threads: int, seconds: float) -> int:
    """Processes p0, p1 and so on; how many of them failed."""
    children = []
    for number in range(count):
        child = os.fork()
        if not child:
            main(url, f"p{number}", threads, seconds)
            return 0
        children.append(child)
    return sum(os.waitpid(child, 0)[1] != 0 for child in children)


if __name__ == "__main__":
    name, numbers = sys.argv[2], (int(sys.argv[3]), float(sys.argv[4]))
    if name.isdigit():
        sys.exit(fork(int(name), sys.argv[1], *numbers))
    main(sys.argv[1], name, *numbers)
