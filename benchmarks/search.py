"""How the cost of finding a task grows with the number of tasks: `make bench`.

One person has all the tasks, which is the hard case: the index keeps people apart. The titles are made
of invented words whose frequencies follow Zipf's law and whose number grows with the text (Heaps' law),
as in real text. The same mentions are looked up at every size, in one run:

- search: words of a title, as the search field and the candidates for a mention use it
- resolve: what a tool call says (a full title, a part of one, a number) to the one task meant
- nearest: a title with typos, for "did you mean"

On SQLite, then on a PostgreSQL server of its own (`--on` chooses one).
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psycopg
from sqlalchemy import insert
from sqlmodel import Session

from db.connection import Database
from db.dialects import words_of
from db.failures import ToolFailure
from db.models import TaskRow
from db.search_ids import search_id_of
from db.tasks.resolve import resolve_task
from db.tasks.service import TaskService
from db.users import User, create_user
from tests.postgres import running_server

SIZES = (1_000, 100_000, 1_000_000)
KINDS = ("sqlite", "postgresql")
SYLLABLES = [a + b for a in "bcdfghjklmnprstvwz" for b in ("a", "e", "i", "o", "u", "an", "er", "in", "or", "el")]
CHUNK = 20_000


@dataclass(frozen=True)
class Timing:
    median_us: float
    p95_us: float


def make_titles(count: int, rng: random.Random) -> list[str]:
    distinct = int(30 * count**0.55)
    words = list({"".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) for _ in range(distinct)})
    weights = list(itertools.accumulate(1 / (rank + 1) ** 0.9 for rank in range(len(words))))
    return [" ".join(rng.choices(words, cum_weights=weights, k=rng.randint(3, 7))) for _ in range(count)]


def fill(database: Database, titles: list[str]) -> User:
    """Straight into the tables, with the same triggers at work: a million audited calls would take an hour."""
    with database.write() as session:
        user = create_user(session, "Owner of many")
    at, same = datetime.now(UTC), {"description": "", "description_words": "", "priority": "medium"}
    for start in range(0, len(titles), CHUNK):
        rows = [
            {
                **same,
                "id": f"task-{n}",
                "user_id": user.id,
                "number": n,
                "search_id": search_id_of(user.serial, n),
                **dict.fromkeys(("title", "title_key", "title_words"), title),
                "status": "pending",
                "created_at": at,
                "updated_at": at,
            }
            for n, title in enumerate(titles[start : start + CHUNK], start=start + 1)
        ]
        with database.write() as session:
            connection = session.connection()
            words = {word for row in rows for word in str(row["title"]).split()}
            words_of(connection).remember_words(connection, user.serial, words)
            connection.execute(insert(TaskRow), rows)
    return user


def measure(database: Database, user: User, mentions: list[str], look_up: Callable[[TaskService, str], None]) -> Timing:
    seconds = []
    for mention in mentions:
        with database.read() as session:
            service = make_service(session, user)
            start = time.perf_counter()
            look_up(service, mention)
            seconds.append(time.perf_counter() - start)
    ordered = sorted(seconds)
    return Timing(statistics.median(ordered) * 1e6, ordered[int(len(ordered) * 0.95)] * 1e6)


def make_service(session: Session, user: User) -> TaskService:
    return TaskService(session, user, lambda: datetime.now(UTC))


def search(service: TaskService, mention: str) -> None:
    service.search_by_title(mention)


def resolve(service: TaskService, mention: str) -> None:
    try:
        resolve_task(service, mention)
    except ToolFailure:
        return  # several or none: found out at the same cost


def nearest(service: TaskService, mention: str) -> None:
    service.nearest(mention)


def make_mentions(titles: list[str], count: int, rng: random.Random) -> dict[str, list[str]]:
    chosen = rng.choices(titles, k=count)
    parts = [" ".join(title.split()[: rng.randint(1, 3)]) for title in chosen]
    numbers = [f"#{rng.randint(1, len(titles))}" for _ in chosen]
    typos = [misspell(title, rng) for title in chosen]
    mixed = [rng.choice(options) for options in zip(chosen, parts, numbers, strict=True)]
    return {"search": parts, "resolve": mixed, "nearest": typos}


def misspell(title: str, rng: random.Random) -> str:
    place = rng.randrange(1, len(title) - 1)
    return title[:place] + title[place + 1] + title[place] + title[place + 2 :]


@contextmanager
def opened(kind: str) -> Iterator[Database]:
    """A new store that keeps what it acknowledges."""
    with ExitStack() as stack:
        if kind == "sqlite":
            url = f"sqlite:///{Path(stack.enter_context(tempfile.TemporaryDirectory())) / 'tasks.db'}"
        else:
            url = stack.enter_context(running_server(keeps=True)).url_of("postgres")
        database = Database(url)
        stack.callback(database.close)
        yield database


def settle(database: Database) -> int:
    """How many bytes there are. On a server after what it does by itself, within minutes, after so many rows: look
    through them once."""
    if database.folder:
        return sum(path.stat().st_size for path in database.folder.iterdir())
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("VACUUM (ANALYZE)")
        found = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        return int(found[0]) if found else 0


def measure_all(kind: str, sizes: Sequence[int], mentions: int) -> None:
    look_ups = {"search": search, "resolve": resolve, "nearest": nearest}
    timings: dict[tuple[str, int], Timing] = {}
    for size in sizes:
        rng = random.Random(7)
        titles = make_titles(size, rng)
        with opened(kind) as database:
            began = time.perf_counter()
            user = fill(database, titles)
            taken = settle(database) / 1e6
            print(f"{kind}: {size:,} tasks written in {time.perf_counter() - began:.0f} s, {taken:.0f} MB", flush=True)
            said = make_mentions(titles, mentions, rng)
            for name, look_up in look_ups.items():
                measure(database, user, said[name][:50], look_up)  # warm the caches
                timing = timings[name, size] = measure(database, user, said[name], look_up)
                print(
                    f"{kind:10} {size:>10,}  {name:8} {timing.median_us:>7.0f} us {timing.p95_us:>13.0f} us", flush=True
                )
    smallest, largest = min(sizes), max(sizes)
    for name in look_ups:
        growth = timings[name, largest].p95_us / timings[name, smallest].p95_us
        print(f"{kind}, {name}: the 95th percentile at {largest:,} tasks is {growth:.1f} times that at {smallest:,}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--mentions", type=int, default=400)
    parser.add_argument("--on", nargs="+", choices=KINDS, default=KINDS, help="which databases; both in one run")
    options = parser.parse_args()
    print(f"{'on':10} {'tasks':>10}  {'look-up':8} {'median':>10} {'95th percentile':>16}")
    for kind in options.on:
        measure_all(kind, options.sizes, options.mentions)


if __name__ == "__main__":
    main()
