"""How long a decision takes, beside others that read the same sentences in the same run.

python -m benchmarks.decide                          the classifier learns from our own cases
python -m benchmarks.decide --data FOLDER            the classifier learns from public utterances
python -m benchmarks.decide --sizes 0 1000           fewer sizes
python -m benchmarks.decide --json
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from benchmarks.rivals import Read, make_classifier, make_hassil
from benchmarks.sentences import make_messages, make_tasks
from domains.deciders import load_decider
from engine.decision import Context
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from evals.intervals import quantile

SIZES = (0, 100, 1_000, 100_000)
NOW = datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001 - a wall clock, as the Context has it
STARTS = 7
_NAMED_AMONG = 1_000
"""The tasks that messages name, whatever the number there is: else a title with an "and" in it, which is read in two
ways, would pass for what more tasks cost."""


@dataclass(frozen=True, slots=True)
class Timing:
    who: str
    tasks: int
    median_us: float
    p95_us: float
    prepare_ms: float
    """Building the index, the grammar or the model: once, not per message."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), metavar="TASKS")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--data", type=Path, metavar="FOLDER")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    started = time.perf_counter()
    classifier = make_classifier(options.data)
    trained_ms = (time.perf_counter() - started) * 1000
    timings = [timing for size in options.sizes for timing in measure(size, options.rounds, classifier, trained_ms)]
    starts = measure_starts()
    if options.json:
        print(json.dumps({"timings": [asdict(each) for each in timings], "starts_s": starts}))
        return
    print_timings(timings)
    print_ratios(timings)
    for size in options.sizes:
        if size:
            print(f"{size:>8} tasks: the engine finds {share_found(size):.0%} of the tasks named by their title")
    print(f"\n`python -m engine decide` with one message: median {statistics.median(starts):.3f} s of {STARTS} starts")


def measure(size: int, rounds: int, classifier: Read, trained_ms: float) -> list[Timing]:
    """All of them on the same messages, in turns, so that a busy moment hits everybody."""
    tasks = make_tasks(size)
    messages = make_messages(tasks[:_NAMED_AMONG])
    started = time.perf_counter()
    readers: dict[str, Read] = {}
    prepared: dict[str, float] = {}
    for name, read in (("engine", _make_engine(tasks, "engine")), ("baseline", _make_engine(tasks, "baseline"))):
        for message in messages:  # the first look builds what is built lazily
            read(message)
        readers[name], prepared[name] = read, (time.perf_counter() - started) * 1000
        started = time.perf_counter()
    hassil = make_hassil(tasks)
    hassil("delete nothing in particular")
    readers |= {"hassil": hassil, "classifier": classifier}
    prepared |= {"hassil": (time.perf_counter() - started) * 1000, "classifier": trained_ms}
    times: dict[str, list[float]] = {name: [] for name in readers}
    for _ in range(rounds):
        for name, read in readers.items():
            times[name] += [_time(read, message) for message in messages]
    return [
        Timing(name, size, statistics.median(values), quantile(values, 0.95), prepared[name])
        for name, values in times.items()
    ]


def share_found(size: int, asked: int = 60) -> float:
    """Quick is no use if the task is not found: titles from all over the list, each asked for once."""
    tasks = make_tasks(size)
    decide = _make_engine(tasks, "engine")
    chosen = tasks[:: max(1, size // asked)]
    return sum(_target(decide(f"complete {task.title}")) == task.id for task in chosen) / len(chosen)


def _target(decision: object) -> object:
    calls = getattr(decision, "calls", ())
    return calls[0].parameters.get("task_identifier") if calls else None


def measure_starts() -> list[float]:
    """From the shell to the first answer, the interpreter's own start included."""
    line = json.dumps({"text": "add a task to water the orchids tomorrow"})
    seconds = []
    for _ in range(STARTS):
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "engine", "decide"], input=line, capture_output=True, text=True, check=True
        )
        seconds.append(time.perf_counter() - started)
    return seconds


def print_timings(timings: Sequence[Timing]) -> None:
    print(f"{'tasks':>8}  {'who':<12} {'median us':>10} {'p95 us':>10} {'prepare ms':>11}")
    for each in timings:
        print(f"{each.tasks:>8}  {each.who:<12} {each.median_us:>10.1f} {each.p95_us:>10.1f} {each.prepare_ms:>11.1f}")


def print_ratios(timings: Sequence[Timing]) -> None:
    median = {(each.who, each.tasks): each.median_us for each in timings}
    print()
    for size in sorted({each.tasks for each in timings}):
        ours = median["engine", size]
        against_hassil, against_classifier = ours / median["hassil", size], median["classifier", size] / ours
        print(f"{size:>8} tasks: engine / hassil {against_hassil:.2f}, classifier / engine {against_classifier:.1f}")
    if ("engine", 100_000) in median and ("engine", 1_000) in median:
        growth = median["engine", 100_000] / median["engine", 1_000]
        print(f"engine with 100,000 tasks / with 1,000: {growth:.2f}")


def _make_engine(tasks: tuple[Task, ...], name: str) -> Read:
    decider = load_decider(name)
    context = Context(MemoryIndex(tasks), NOW, language="en")
    return lambda text: decider.decide(text, context)


def _time(read: Read, message: str) -> float:
    started = time.perf_counter_ns()
    read(message)
    return (time.perf_counter_ns() - started) / 1000


if __name__ == "__main__":
    main()
