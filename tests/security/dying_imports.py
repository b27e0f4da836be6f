"""Imports in processes that kill themselves with `kill -9` while they report how far they are.

`python -m tests.security.dying_imports DATABASE_URL` reads one number a line, the reports to live through, and forks
for it, so that what takes long is loaded once. It opens no database itself. The answer is the signal that ended the
import; 0: it came to its end.
"""

from __future__ import annotations

import os
import signal
import sys
from datetime import datetime

from db.connection import Database
from db.tasks.bulk import import_tasks
from db.tasks.importing import ImportRow
from db.users import find_user

ROWS = tuple(ImportRow(number, f"Row {number}", "with words", "low", "pending", None, None) for number in range(1000))


def import_and_die(database_url: str, reports: int) -> None:
    database, left = Database(database_url), reports
    with database.read() as session:
        ada = find_user(session, "ada")
    assert ada

    def show(_share: float) -> None:
        nonlocal left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1

    import_tasks(database, ada, ROWS, lambda: datetime.now().astimezone(), show)


def main(database_url: str) -> None:
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            import_and_die(database_url, int(line))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
