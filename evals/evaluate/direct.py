"""Cases through a decider without a store, in one process or several: for commands and benchmarks."""

from __future__ import annotations

import gc
import multiprocessing
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime

from db.evaluation.run_values import KeptCase, ScoredCase
from engine.decision import Context
from evals.answers import TimedDecision
from evals.asking import CostOf, Entrant, ask, no_price
from evals.evaluate.data_sets import DataSet, case_of
from evals.evaluate.deciders import make_entrant, with_version
from evals.evaluate.exports.report import RunReport, make_deciders
from evals.evaluate.helper_processes import Helpers
from evals.evaluate.helping import AskedCase, Recipe, judge_quick, spare_collecting
from evals.evaluate.judging import judge_case
from evals.evaluate.specs import DeciderSpec, write_spec
from llm.patience import Cancel

_BATCH = 250
ReportProgress = Callable[[int, int], None]
_here: list[tuple[Entrant, Sequence[KeptCase]]] = []
"""In a forked process: the decider and the cases."""


def judge_all(
    data_set: DataSet, spec: DeciderSpec, *, processes: int = 1, progress: ReportProgress | None = None
) -> tuple[ScoredCase, ...]:
    """By position. Several processes help with a quick decider; a model is asked from one."""
    found: list[ScoredCase] = []
    several = processes > 1 and not spec.is_slow and len(data_set.cases) > _BATCH
    batches = _in_processes(data_set, spec, processes) if several else _in_this_one(data_set, spec)
    for batch in batches:
        found += batch
        if progress:
            progress(len(found), len(data_set.cases))
    return tuple(found)


def run_directly(
    data_set: DataSet,
    specs: Sequence[DeciderSpec],
    name: str = "",
    *,
    processes: int = 1,
    progress: ReportProgress | None = None,
) -> RunReport:
    """A whole run that is kept nowhere."""
    written = [write_spec(with_version(spec, data_set.domain)) for spec in specs]
    judged = [judge_all(data_set, spec, processes=processes, progress=progress) for spec in specs]
    found = list(zip(written, judged, strict=True))
    deciders = make_deciders(data_set.domain, data_set.cases, found)
    return RunReport(
        name or data_set.name, data_set.domain, datetime.now(UTC), data_set.name, data_set.fingerprint, data_set.cases,
        deciders, data_set.problems,
    )  # fmt: skip


def _in_this_one(data_set: DataSet, spec: DeciderSpec) -> Iterator[list[ScoredCase]]:
    entrant = make_entrant(spec, data_set.domain)
    with _without_looking_through():
        for start in range(0, len(data_set.cases), _BATCH):
            yield judge_batch(entrant, data_set.cases[start : start + _BATCH])


@contextmanager
def _without_looking_through() -> Iterator[None]:
    """What is there already, policies and all cases, stays to the end: to look through it for garbage again and again
    takes a tenth of the time."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _in_processes(data_set: DataSet, spec: DeciderSpec, processes: int) -> Iterator[list[ScoredCase]]:
    entrant = make_entrant(spec, data_set.domain)  # a mistake in a policy is told here, and what it loads is there
    # Forked where that is safe, for then nothing is loaded anew. Threads of a process (a server's, a model's) would be
    # left behind in the middle of something.
    alone = sys.platform == "linux" and threading.active_count() == 1
    starts = range(0, len(data_set.cases), _BATCH)
    if alone:
        forking = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(processes, forking, _set_up, (entrant, data_set.cases)) as pool:
            yield from pool.map(_judge_here, starts)
        return
    batches = (
        [AskedCase(0, case.position, case.key, case_of(case)) for case in data_set.cases[start : start + _BATCH]]
        for start in starts
    )
    with Helpers([Recipe(spec, data_set.domain)], processes) as helpers:
        for found in helpers.judge(batches, lambda batch: judge_quick([entrant.decider], batch)):
            yield [scored for _, scored in found]


def _set_up(entrant: Entrant, cases: Sequence[KeptCase]) -> None:
    _here.append((entrant, cases))
    spare_collecting()


def _judge_here(start: int) -> list[ScoredCase]:
    entrant, cases = _here[-1]
    return judge_batch(entrant, cases[start : start + _BATCH])


def judge_batch(entrant: Entrant, cases: Sequence[KeptCase], cost_of: CostOf = no_price) -> list[ScoredCase]:
    def answer(text: str, context: Context) -> TimedDecision:
        return ask(entrant, text, context, Cancel(), cost_of)

    return [judge_case(answer, case_of(case), case.position, case.key) for case in cases]
