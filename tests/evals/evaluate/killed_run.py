"""A process that runs an evaluation and says when the first batch is kept; then it waits to be killed."""

from __future__ import annotations

import sys
import threading
from typing import Any

from db.connection import Database
from db.users import find_user
from evals.evaluate import running
from evals.evaluate.room import begin_run
from tests.evals.evaluate.test_running import ENGINE, made_up_set


def main(url: str) -> None:
    database = Database(url)
    with database.read() as session:
        user = find_user(session, "ada")
    assert user
    running._QUICK_BATCH = 10
    begun = begin_run(database, user.id, made_up_set(8), [ENGINE])
    keep = begun.work._keep

    def keep_and_wait(results: Any) -> None:
        keep(results)
        sys.stdout.write(f"{begun.run_id}\n")
        sys.stdout.flush()
        threading.Event().wait()

    begun.work._keep = keep_and_wait  # type: ignore[method-assign]
    begun.work.run()


if __name__ == "__main__":
    main(sys.argv[1])
