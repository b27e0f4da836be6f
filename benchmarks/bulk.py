"""What a bulk run takes: in this process, on two local workers, and on a scheduler with two workers over TCP.

python -m benchmarks.bulk                                     100,000 generated messages, no two alike in a shard
python -m benchmarks.bulk --messages 1000000 --repeats 0.95   of which so many are among 400 that are said often
python -m benchmarks.bulk --data FOLDER                       public messages instead (docs/evals.md), again and again
python -m benchmarks.bulk --only here --keep FOLDER           one way only, and the run is kept

Each way is the command itself, started anew. The lines say whether all figures are the same to the last digit, messages
a second with and without repeats, the share of the workers' time that went into decisions, and memory.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle, islice
from pathlib import Path

from benchmarks.sentences import SENTENCES, make_tasks
from evals.bulk.folder import RunFolder
from evals.public_data import TIERS

ROOT = Path(__file__).parents[1]
WAYS = ("here", "local", "tcp")
_OFTEN = 400
_WORKERS = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=100_000, metavar="N")
    parser.add_argument("--repeats", type=float, default=0.0, metavar="SHARE")
    parser.add_argument("--data", type=Path, metavar="FOLDER")
    parser.add_argument("--only", choices=WAYS, action="append")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    print(f"{options.messages:,} messages; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}", flush=True)
    with ExitStack() as stack:
        place = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bulk-")))
        place.mkdir(parents=True, exist_ok=True)
        path = place / "messages.jsonl"
        if not path.exists():
            write_messages(path, options.messages, options.repeats, options.data)
        print(f"{path.stat().st_size / 1e6:,.0f} MB as JSON Lines", flush=True)
        runs = [_measure(way, path, place / way) for way in options.only or WAYS]
        if len(runs) > 1:
            figures = {(run.path / "figures.json").read_bytes() for run in runs}
            print("the figures of all ways are the same" if len(figures) == 1 else "THE FIGURES DIFFER")


def write_messages(path: Path, count: int, repeats: float, data: Path | None) -> None:
    """A share of `repeats` is drawn from what is said often, the most frequent most often; the rest goes round."""
    known = _read_public(data) if data else _generate(min(count, 200_000))
    generator = random.Random(7)
    often = known[:_OFTEN]
    weights = [1 / (place + 1) for place in range(len(often))]
    drawn = iter(generator.choices(often, weights, k=round(count * repeats * 1.1) + 1)) if repeats else iter(())
    rest = cycle(known[_OFTEN:] if repeats else known)
    with path.open("w", encoding="utf-8") as file:
        for _ in range(count):
            file.write(next(drawn) if repeats and generator.random() < repeats else next(rest))


def _read_public(folder: Path) -> list[str]:
    rows = []
    for tier in TIERS:
        with gzip.open(folder / f"{tier}_train.jsonl.gz", "rt", encoding="utf-8") as lines:
            rows += [line for line in lines if line.strip()]
    random.Random(3).shuffle(rows)
    return rows


def _generate(count: int) -> list[str]:
    titles = (task.title for task in cycle(make_tasks(min(count, 20_000))))
    texts = (f"{sentence.format(name=next(titles))}" for sentence in cycle(SENTENCES))
    return [json.dumps({"id": f"message-{n}", "text": text}) + "\n" for n, text in enumerate(islice(texts, count))]


def _measure(way: str, path: Path, out: Path) -> RunFolder:
    with ExitStack() as stack:
        on = {"here": [], "local": ["--on", "local", "--workers", str(_WORKERS)]}.get(way)
        if on is None:
            on = ["--on", stack.enter_context(_cluster())]
        began = time.perf_counter()
        _run("-m", "evals", "bulk", "--data", str(path), "--out", str(out), "--now", "2026-03-02T09:00", *on)
        wall = time.perf_counter() - began
    run = RunFolder(out)
    state = run.state()
    disk = sum(each.stat().st_size for each in run.shard_paths())
    share, each = state.deciding / state.working, 1000 * state.deciding / state.distinct
    told = [
        f"{way:6} {wall:7.1f} s",
        f"{state.messages / wall:,.0f} messages a second, {state.distinct / wall:,.0f} without repeats",
        f"{state.messages / state.processor:,.0f} and {state.distinct / state.processor:,.0f} in a processor's second",
        f"{share:.0%} of the workers' time deciding, {each:.2f} ms a decision",
        f"{state.worker_mb:,} MB a worker, {state.own_mb:,} MB the command, {disk / 1e6:,.0f} MB of Parquet",
    ]
    print("   ".join(told), flush=True)
    return run


@contextmanager
def _cluster() -> Iterator[str]:
    """As somebody starts it by hand."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    commands = [["scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show"]]
    commands += [["worker", address, "--nthreads", "1", "--no-dashboard"]] * _WORKERS
    quiet = subprocess.DEVNULL
    around = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}
    started = [
        subprocess.Popen([sys.executable, "-m", "dask", *each], env=around, stdout=quiet, stderr=quiet)
        for each in commands
    ]
    try:
        yield address
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait()


def _run(*arguments: str) -> None:
    quiet = subprocess.DEVNULL
    subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, stdout=quiet, stderr=quiet)


if __name__ == "__main__":
    main()
