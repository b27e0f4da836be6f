"""Chat turns in processes that kill themselves with `kill -9`, at a moment that is given by a count.

`python -m tests.security.dying_turns DATABASE_URL LLM_URL` reads one turn a line and forks for it, so that what takes
long (imports, the language) is loaded once. It opens no database itself. The answer says how the process ended, and
how many moments of each kind it lived through, where it came to its end.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sqlite3
import sys
from datetime import datetime
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Engine, event

from assistant import Assistant, Lanes
from db.connection import Database
from db.turns.conversations import start_conversation
from db.users import create_user, find_user
from domains.deciders import make_engine
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.patience import Breaker

ENGINE = make_engine()
SEARCH_INDEXES = ("task_words", "word_parts")
"""What SQLite does by itself inside of these becomes more as they grow; a count must mean the same moment each time."""
STEP = 20
"""So many instructions of SQLite's machine are one step: a turn has some hundreds."""


class Moments:
    """Counts the statements of SQLite, and within them its steps, from the first write of a turn to its end. Between
    two statements nothing is done that outlives the process."""

    def __init__(self) -> None:
        self.counts, self.kind, self.last = {"statement": 0, "step": 0}, "", 0
        self._counts_yet = self._armed = False

    def arm(self, kind: str, last: int) -> None:
        """To die at the count `last` of this kind; 0: never."""
        self.kind, self.last, self._armed = kind, last, True

    def watch(self, connection: sqlite3.Connection, _record: Any) -> None:
        connection.set_trace_callback(self._statement)
        connection.set_progress_handler(self._step, STEP)

    def _statement(self, sql: str) -> None:
        self._counts_yet |= self._armed and sql.startswith("BEGIN IMMEDIATE")
        if not any(index in sql for index in SEARCH_INDEXES):
            self._count("statement")

    def _step(self) -> int:
        self._count("step")
        return 0

    def _count(self, kind: str) -> None:
        self.counts[kind] += self._counts_yet
        if kind == self.kind and self.last and self.counts[kind] >= self.last:
            os.kill(os.getpid(), signal.SIGKILL)


def make_lanes(llm_url: str) -> Lanes:
    endpoint = Endpoint("openai", llm_url, "m", key="sk-test-key-never-shown", timeout_seconds=20)
    return Lanes(ENGINE, LLMDecider(endpoint, breaker=Breaker(), pause_seconds=0.01))


def take_turn(database_url: str, llm_url: str, asked: dict[str, Any]) -> dict[str, int]:
    moments = Moments()
    event.listen(Engine, "connect", moments.watch)
    database = Database(database_url)
    with database.read() as session:
        user = find_user(session, asked["handle"])
    assert user
    assistant = Assistant(database, user, lambda: datetime.fromisoformat(asked["now"]))
    lanes = Lanes(ENGINE) if asked["driver"] == "engine" else make_lanes(llm_url)
    moments.arm(asked["kind"], asked["moment"])
    assistant.run_turn(asked["conversation"], asked["text"], asked["driver"], lanes)
    database.close()
    return moments.counts


def warm_up(llm_url: str) -> None:
    """What the first message loads is loaded for all forks."""
    with TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/warm.db")
        with database.write() as session:
            user = create_user(session, "Nobody")
            conversation = start_conversation(session, user.id)
        database.close()
        asked = {"handle": user.handle, "conversation": conversation, "now": "2026-03-04T10:00+01:00"}
        for driver in ("engine", "llm"):
            for text in ("add a task to rest", "mark rest as done"):
                take_turn(database.url, llm_url, {**asked, "text": text, "driver": driver, "kind": "", "moment": 0})


def main(database_url: str, llm_url: str) -> None:
    warm_up(llm_url)
    gc.freeze()  # a fork need not copy what no collection will ever look through
    for line in sys.stdin:
        asked = json.loads(line)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            counts = take_turn(database_url, llm_url, asked)
            os.write(writing, json.dumps(counts).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as told:
            counts = json.loads(told.read() or "{}")
        _, status = os.waitpid(child, 0)
        ended = {"conversation": asked["conversation"], "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0}
        print(json.dumps({**ended, **counts}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
