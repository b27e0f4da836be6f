"""How many cases a second an evaluation takes with the engine, on one and on two processes, and what is kept of it.

python -m benchmarks.evaluate                      ten thousand cases of each kind
python -m benchmarks.evaluate --cases 2000         fewer

Two sets: messages about ten tasks each, no two alike; and our own cases, with their tasks and conversations, as often
as needed. Two processes are started anew for each measurement, and that counts. Processor time is that of all processes
together: on a busy machine it says more than the clock. The last lines are a whole run as the page makes it, kept in a
store, with the processes that help the workbench with a long one, and what its tables then take.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle, islice
from typing import TypeVar

from benchmarks.sentences import SENTENCES, make_tasks
from db.connection import Session
from db.evaluation.results import count_cells, find_results, load_scored
from db.evaluation.run_values import ResultFilter
from db.evaluation.runs import find_run
from db.evaluation.sets import load_slices
from db.temporary import TemporaryStore
from db.users import create_user
from domains.loading import load_domain
from evals.case import Case, Turn
from evals.evaluate.calibrating import calibrate
from evals.evaluate.data_sets import DataSet, make_data_set
from evals.evaluate.direct import judge_all
from evals.evaluate.room import begin_run
from evals.evaluate.scoreboard import make_scoreboard
from evals.evaluate.slicing import make_slices
from evals.evaluate.sources import load_our_cases
from evals.evaluate.specs import DeciderSpec

ENGINE = DeciderSpec("engine")
_TASKS_EACH = 10
_ENDS = ((7, "add_task"), (14, "list_tasks"), (19, "complete_task"), (23, "delete_task"), (27, "update_task"),
         (29, "identity_query"), (len(SENTENCES), "unknown"))  # fmt: skip
"""Up to which sentence which intent is meant."""
T = TypeVar("T")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000, metavar="N")
    options = parser.parse_args()
    print(f"{options.cases:,} cases of each kind; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    messages, ours = make_messages(options.cases), repeat_ours(options.cases)
    judge_all(replace(messages, cases=messages.cases[:300]), ENGINE)  # warm
    for name, data_set in (("messages", messages), ("our cases", ours)):
        for processes in (1, 2):
            _tell(f"{name}, {processes} process{'' if processes == 1 else 'es'}", data_set, processes)
    _tell_kept(messages)


def _tell(name: str, data_set: DataSet, processes: int) -> None:
    began, worked = time.perf_counter(), _processor_seconds()
    found = judge_all(data_set, ENGINE, processes=processes)
    seconds, own = time.perf_counter() - began, _processor_seconds() - worked
    right = sum(each.passed for each in found) / len(found)
    pace = f"{len(found) / seconds:7,.0f} cases a second"
    print(f"{name:28} {seconds:6.1f} s   {pace}   {own:6.1f} s of processor time   ({right:.0%} right)")


def _processor_seconds() -> float:
    """Of this process and of those that it started and that have ended."""
    return sum(sum(resource.getrusage(whose)[:2]) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def _tell_kept(data_set: DataSet) -> None:
    intents = load_domain().catalogue.intents
    with TemporaryStore() as store:
        with store.database.write() as session:
            user = create_user(session, "Maya")
        begun, seconds = _timed(lambda: begin_run(store.database, user.id, data_set, [ENGINE]))
        print(f"{'to begin a run':28} {seconds:6.1f} s   (the set is kept)")
        worked = _processor_seconds()
        _, seconds = _timed(begun.work.run)
        own, pace = _processor_seconds() - worked, f"{len(data_set.cases) / seconds:7,.0f} cases a second"
        print(f"{'the run, kept':28} {seconds:6.1f} s   {pace}   {own:6.1f} s of processor time")
        with store.database.read() as session:
            run = find_run(session, user.id, begun.run_id)
            assert run
            _tell_tables(session, run.id, run.set_id, intents)


def _tell_tables(session: Session, run_id: str, set_id: str, intents: tuple[str, ...]) -> None:
    rows, loading = _timed(lambda: load_scored(session, run_id, 0))
    wrong = ResultFilter(passed=False)
    _, paging = _timed(lambda: find_results(session, run_id, wrong, limit=50, offset=100))
    _, cells = _timed(lambda: count_cells(session, run_id, 0, behind=False))
    slices = load_slices(session, set_id)
    _, board = _timed(lambda: make_scoreboard("engine", rows, intents))
    _, curve = _timed(lambda: calibrate(rows))
    _, parts = _timed(lambda: make_slices(rows, slices))
    named = {"all results": loading, "a page of the table": paging, "the matrix": cells, "the scoreboard": board,
             "calibration": curve, "slices": parts}  # fmt: skip
    print("; ".join(f"{name} {1000 * seconds:.0f} ms" for name, seconds in named.items()))


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    began = time.perf_counter()
    found = work()
    return found, time.perf_counter() - began


def make_messages(count: int) -> DataSet:
    """Each sentence about other tasks."""
    tasks = make_tasks(max(count, _TASKS_EACH))
    cases = []
    for place in range(count):
        sentence = place % len(SENTENCES)
        around = tuple(islice(cycle(tasks), place, place + _TASKS_EACH))
        intent = next(name for end, name in _ENDS if sentence < end)
        text = SENTENCES[sentence].format(name=around[place % _TASKS_EACH].title)
        cases.append(Case(f"message-{place}", (Turn(text, (intent,)),), tasks=around))
    return make_data_set("Messages", cases, source="benchmark")


def repeat_ours(count: int) -> DataSet:
    ours = load_our_cases()
    repeated = [replace(case, position=place) for place, case in enumerate(islice(cycle(ours.cases), count))]
    return replace(ours, cases=tuple(repeated))


if __name__ == "__main__":
    main()
