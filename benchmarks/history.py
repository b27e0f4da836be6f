"""How quick History is with many turns: `python -m benchmarks.history [TURNS]` prints a table.

Turns are copies of a scripted conversation with real contexts and decisions of both lanes, one conversation for every
50; one turn in a hundred was reviewed.
"""

from __future__ import annotations

import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import text

from assistant import Assistant, Lanes
from db.audit import find_undone
from db.connection import Database, Session
from db.evaluation.verdicts import read_verdicts
from db.seed import seed_empty_database
from db.turns.conversations import start_conversation
from db.turns.history import count_standings, count_turns, find_history, find_history_ids, find_next_id
from db.turns.query import TurnQuery
from db.turns.timeline import count_over_time, find_first_and_last, measure_over_time
from db.turns.turns import read_decisions
from db.users import User, find_user
from domains.deciders import make_engine
from evals.replay import Replay
from ui.history.periods import make_buckets

TEXTS = ("add a task to buy tea tomorrow", "mark the passport task as done", "hello", "delete the rent task", "no")
STANDINGS = ("agree", "differ", "second_silent", "broken", None)
QUERIES = {
    "no filter": TurnQuery(),
    "disagreements first": TurnQuery(order="differ"),
    "differ": TurnQuery(standing="differ"),
    "intent": TurnQuery(intent="add_task"),
    "text": TurnQuery(text="passport"),
    "to be reviewed": TurnQuery(standing="disagree", reviewed=False),
    "engine was right": TurnQuery(verdict=("engine", "right")),
    "all of it": TurnQuery(standing="differ", intent="complete_task", text="passport", driver="engine"),
}


def here() -> datetime:
    return datetime.now().astimezone()


def fill(database: Database, user: User, count: int) -> None:
    with database.write() as session:
        conversation = start_conversation(session, user.id)
    assistant = Assistant(database, user, here)
    ids = [assistant.run_turn(conversation, each, "engine", Lanes(make_engine())) for each in TEXTS]
    began = here() - timedelta(days=90)
    with database.write() as session:
        connection = session.connection()
        rows = {name: _columns(connection, name) for name in ("turns", "decisions")}
        for start in range(0, count - len(ids), 50):
            conversation = start_conversation(session, user.id)
            for place in range(min(50, count - len(ids) - start)):
                number = start + place
                new = {"id": str(uuid.uuid4()), "conversation": conversation, "position": place + 1,
                       "agreement": STANDINGS[number % 5], "at": began + timedelta(seconds=number * 60),
                       "old": ids[number % len(ids)], "decision": str(uuid.uuid4())}  # fmt: skip
                _copy(connection, rows, new)
        _add_llm_and_verdicts(connection)


def _add_llm_and_verdicts(connection: Any) -> None:
    """The LLM's decisions are the engine's with other times; verdicts are on turns here and there."""
    names = [name for name in _columns(connection, "decisions") if name not in ("id", "decider", "elapsed_ms")]
    for statement in (
        "UPDATE turns SET llm_status = 'answered' WHERE agreement IS NOT NULL",
        f"""INSERT INTO decisions (id, decider, elapsed_ms, {", ".join(names)})
            SELECT 'llm-' || id, 'llm', abs(random()) % 3000, {", ".join(names)} FROM decisions
            WHERE turn_id IN (SELECT id FROM turns WHERE llm_status = 'answered')""",
        *(
            f"""INSERT INTO verdicts (turn_id, lane, user_id, verdict, created_at, changed_at)
                SELECT id, '{lane}', user_id, '{verdict}', created_at, created_at FROM turns WHERE rowid % 100 = 0"""
            for lane, verdict in (("engine", "right"), ("llm", "wrong"))
        ),
    ):
        connection.execute(text(statement))


def _columns(connection: Any, table: str) -> list[str]:
    return [row[1] for row in connection.exec_driver_sql(f"SELECT * FROM pragma_table_info('{table}')")]


def _copy(connection: Any, rows: dict[str, list[str]], new: dict[str, Any]) -> None:
    changed = {
        "turns": {"id": ":id", "conversation_id": ":conversation", "position": ":position",
                  "agreement": ":agreement", "created_at": ":at"},
        "decisions": {"id": ":decision", "turn_id": ":id", "conversation_id": ":conversation"},
    }  # fmt: skip
    for table, column in (("turns", "id"), ("decisions", "turn_id")):
        values = ", ".join(changed[table].get(name, name) for name in rows[table])
        statement = f"INSERT INTO {table} ({', '.join(rows[table])}) SELECT {values} FROM {table} WHERE {column} = :old"
        connection.execute(text(statement), new)


def measure(work: Callable[[], object], times: int = 5) -> float:
    """The median, in milliseconds."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) * 1000)
    return sorted(taken)[len(taken) // 2]


def read_page(session: Session, user: User, query: TurnQuery, offset: int) -> None:
    """All that the page shows of 25 turns."""
    turns = find_history(session, user.id, query, limit=25, offset=offset)
    read_decisions(session, user.id, [turn.id for turn in turns])
    read_verdicts(session, user.id, [turn.id for turn in turns])
    find_undone(session, user.id, [str(each["audit_id"]) for turn in turns for each in turn.results])
    session.expunge_all()


def measure_queue(session: Session, user: User) -> None:
    queue = TurnQuery(standing="disagree", reviewed=False)
    (turn,) = find_history(session, user.id, queue, limit=1, offset=1000)
    step = measure(lambda: find_next_id(session, user.id, queue, turn, newer=False))
    print(f"the next of the queue {step:.1f} ms")


def measure_charts(session: Session, user: User) -> None:
    ends = find_first_and_last(session, user.id)
    assert ends
    buckets = make_buckets(*ends)
    for name, query in {"all": TurnQuery(), "intent": TurnQuery(intent="add_task")}.items():
        counted = measure(lambda query=query: count_over_time(session, user.id, query, buckets))
        lanes = measure(lambda query=query: measure_over_time(session, user.id, query, buckets, "elapsed_ms"))
        print(f"charts of {len(buckets)} bars, {name:7} volume, agreement {counted:7.1f} ms   latency {lanes:7.1f} ms")


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'turns.db'}")
        seed_empty_database(database, here)
        with database.read() as session:
            user = find_user(session, "maya")
        assert user
        fill(database, user, count)
        with database.read() as session:
            counts = measure(lambda: count_standings(session, user.id))
            print(f"{count:,} turns: the counts above the list {counts:.1f} ms")
            for name, query in QUERIES.items():
                number = measure(lambda query=query: count_turns(session, user.id, query))
                page = measure(lambda query=query: read_page(session, user, query, 0))
                last = measure(lambda query=query: read_page(session, user, query, count // 5 - 25))
                print(f"{name:20} count {number:7.1f} ms   first page {page:7.1f} ms   far page {last:7.1f} ms")
            measure_queue(session, user)
            measure_charts(session, user)
            ids = find_history_ids(session, user.id, TurnQuery())
        replay = Replay(database, user.id, ids[:10_000], make_engine())
        seconds = measure(replay.run, 1) / 1000
        print(f"replay of {len(replay.turn_ids):,} turns {seconds:.1f} s, {len(replay.changes)} changes")
        database.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
