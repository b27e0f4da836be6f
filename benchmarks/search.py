"""How the cost of finding a task grows with the number of tasks: `make bench`.

One person has all the tasks, which is the hard case: the index keeps people apart. The titles are made
of invented words whose frequencies follow Zipf's law and whose number grows with the text (Heaps' law),
as in real text. The same mentions are looked up at every size, in one run:

- search: words of a title, as the search field and the candidates for a mention use it
- resolve: what a tool call says (a full title, a part of one, a number) to the one task meant
- nearest: a title with typos, for "did you mean"
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import text
from sqlmodel import Session

from db import sqlite
from db.connection import Database
from db.failures import ToolFailure
from db.tasks.resolve import resolve_task
from db.tasks.service import TaskService
from db.users import User, create_user

SIZES = (1_000, 100_000, 1_000_000)
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
    insert = text(
        """INSERT INTO tasks (id, user_id, number, search_id, title, title_key, title_words, description,
                              description_words, priority, status, created_at, updated_at)
           VALUES (:id, :user_id, :number, :search_id, :title, :title, :title, '', '', 'medium', 'pending', :at, :at)"""
    )
    first, at = user.serial << sqlite.SERIAL_SHIFT, datetime.now(UTC).isoformat(" ")[:26]
    for start in range(0, len(titles), CHUNK):
        rows = [
            {"id": f"task-{n}", "user_id": user.id, "number": n, "search_id": first + n, "title": title, "at": at}
            for n, title in enumerate(titles[start : start + CHUNK], start=start + 1)
        ]
        with database.write() as session:
            session.connection().execute(insert, rows)
            words = {word for row in rows for word in str(row["title"]).split()}
            sqlite.remember_words(session.connection(), user.serial, words)
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--mentions", type=int, default=400)
    options = parser.parse_args()
    look_ups = {"search": search, "resolve": resolve, "nearest": nearest}
    timings: dict[tuple[str, int], Timing] = {}
    print(f"{'tasks':>10}  {'look-up':8} {'median':>10} {'95th percentile':>16}")
    for size in options.sizes:
        rng = random.Random(7)
        titles = make_titles(size, rng)
        with tempfile.TemporaryDirectory() as folder:
            database = Database(f"sqlite:///{Path(folder) / 'tasks.db'}")
            user = fill(database, titles)
            mentions = make_mentions(titles, options.mentions, rng)
            for name, look_up in look_ups.items():
                measure(database, user, mentions[name][:50], look_up)  # warm the caches
                timing = timings[name, size] = measure(database, user, mentions[name], look_up)
                print(f"{size:>10,}  {name:8} {timing.median_us:>7.0f} us {timing.p95_us:>13.0f} us", flush=True)
            database.close()
    smallest, largest = min(options.sizes), max(options.sizes)
    for name in look_ups:
        growth = timings[name, largest].p95_us / timings[name, smallest].p95_us
        print(f"{name}: the 95th percentile at {largest:,} tasks is {growth:.1f} times that at {smallest:,}")


if __name__ == "__main__":
    main()
