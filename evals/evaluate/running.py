"""A run as work for a thread of its own: cases through several deciders, kept batch by batch.

What is kept is never done again: a run that was cut off goes on where its results end. Anything a single case does
(an exception, an endpoint that is down) is a result of that case.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field

from db.connection import Database
from db.evaluation.results import add_results
from db.evaluation.run_values import KeptCase, RunStatus, ScoredCase
from db.evaluation.runs import finish_run, say_alive, wants_end
from db.failures import StoreUnavailableError
from engine.decision import Context
from evals.answers import TimedDecision
from evals.asking import CostOf, Entrant, ask
from evals.evaluate.conversing import Talk, group_conversations, play
from evals.evaluate.data_sets import case_of
from evals.evaluate.helper_processes import Helpers
from evals.evaluate.helping import AskedCase, Recipe, Results, judge_quick
from evals.evaluate.judging import judge_case, warm
from evals.progress import Progress
from llm.patience import Cancel

PROCESS = uuid.uuid4().hex
"""This process, to those who look at a run."""
_QUICK_BATCH, _SLOW_BATCH, _HELP_BATCH = 200, 16, 100
_WORTH_HELP = 4_000
"""Answers: for fewer it takes longer to start processes than they save."""
_ALIVE_SECONDS = 10.0


def make_owner() -> str:
    """One for each piece of work: two that this process does on one run would keep everything twice."""
    return f"{PROCESS}:{uuid.uuid4().hex[:8]}"


def is_of_this_process(owner: str | None) -> bool:
    return owner is not None and owner.startswith(PROCESS)


@dataclass
class EvaluationWork:
    """Fits `ui.background.start(run_id, work, work.finish)`; without a page, `run()` and `finish("done")`."""

    database: Database
    run_id: str
    entrants: Sequence[Entrant]
    cases: Sequence[KeptCase]
    cost_of: CostOf
    owner: str
    """Of `make_owner`."""
    done: Collection[tuple[int, int]] = ()
    """Decider and position of what is kept already."""
    recipes: Sequence[Recipe] = ()
    """Of all deciders, where other processes can make every one of them, too: then those help with a long run."""
    progress: Progress = field(init=False)
    _cancels: set[Cancel] = field(default_factory=set)
    _ended: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.progress = Progress(len(self.cases) * len(self.entrants), len(self.done), before=len(self.done))

    def cancel(self) -> None:
        """Ends the requests under way, too. What is kept stays."""
        self.progress.cancelled = True
        for cancel in tuple(self._cancels):
            cancel.cancel()

    def finish(self, ending: RunStatus) -> None:
        with self.database.write() as session:
            finish_run(session, self.run_id, self.owner, ending)

    def run(self) -> None:
        talks, cases = group_conversations(self.cases)
        alive = threading.Thread(target=self._keep_alive, name=f"alive-{self.run_id[:8]}", daemon=True)
        alive.start()
        try:
            if self._takes_help(len(cases)):
                self._run_with_help(cases)
            else:
                self._warm(cases)
                self._run_cases(cases)
            self._run_talks(talks)
        finally:
            self._ended.set()
            alive.join()

    def _keep_alive(self) -> None:
        """A batch of a slow model takes minutes: in between somebody must hear that it goes on."""
        while not self._ended.wait(_ALIVE_SECONDS):
            try:
                with self.database.write() as session:
                    mine = say_alive(session, self.run_id, self.owner) and not wants_end(session, self.run_id)
            except StoreUnavailableError:  # busy for a moment; it is said again soon, or keeping results says it
                continue
            if not mine:
                self.cancel()

    def _warm(self, cases: Sequence[KeptCase]) -> None:
        quick = [entrant.decider for entrant in self.entrants if not entrant.slow]
        one_each = {case.slices.get("language"): case for case in reversed(cases)}
        warm(quick, map(case_of, one_each.values()))

    def _takes_help(self, cases: int) -> bool:
        return bool(self.recipes) and cases * len(self.recipes) - len(self.done) >= _WORTH_HELP

    def _run_with_help(self, cases: Sequence[KeptCase]) -> None:
        def batches() -> Iterator[list[AskedCase]]:
            for start in range(0, len(cases), _HELP_BATCH):
                if self.progress.cancelled:
                    return
                yield [
                    AskedCase(place, case.position, case.key, case_of(case))
                    for case in cases[start : start + _HELP_BATCH]
                    for place in range(len(self.recipes))
                    if self._is_left(place, case)
                ]

        with Helpers(self.recipes) as helpers:
            for results in helpers.judge(batches(), self._judge_here):
                self.progress.step(len(results))
                self._keep(results)
                if self.progress.cancelled:
                    return

    def _judge_here(self, batch: Sequence[AskedCase]) -> Results:
        """Where a process that should do it is lost."""
        return judge_quick([entrant.decider for entrant in self.entrants], batch)

    def _run_cases(self, cases: Sequence[KeptCase]) -> None:
        size = _SLOW_BATCH if any(entrant.slow for entrant in self.entrants) else _QUICK_BATCH
        with ExitStack() as stack:
            pools = {
                place: stack.enter_context(ThreadPoolExecutor(entrant.at_once, thread_name_prefix="evaluate"))
                for place, entrant in enumerate(self.entrants)
                if entrant.slow
            }
            for start in range(0, len(cases), size):
                if self.progress.cancelled:
                    return
                self._keep(self._judge_batch(cases[start : start + size], pools))

    def _judge_batch(self, cases: Sequence[KeptCase], pools: Mapping[int, ThreadPoolExecutor]) -> Results:
        left = [(place, case) for case in cases for place in range(len(self.entrants)) if self._is_left(place, case)]
        waiting: list[tuple[int, Future[ScoredCase | None]]] = [
            (place, pools[place].submit(self._judge, place, case)) for place, case in left if place in pools
        ]
        quick = [(place, self._judge(place, case)) for place, case in left if place not in pools]
        slow = [(place, future.result()) for place, future in waiting]
        return [(place, scored) for place, scored in (*quick, *slow) if scored is not None]

    def _is_left(self, place: int, case: KeptCase) -> bool:
        return (place, case.position) not in self.done

    def _judge(self, place: int, case: KeptCase) -> ScoredCase | None:
        """None only where the run was cancelled."""
        if self.progress.cancelled:
            return None
        entrant, cancel = self.entrants[place], Cancel()
        self._cancels.add(cancel)

        def answer(text: str, context: Context) -> TimedDecision:
            return ask(entrant, text, context, cancel, self.cost_of)

        try:
            scored = judge_case(answer, case_of(case), case.position, case.key)
        finally:
            self._cancels.discard(cancel)
        if cancel.cancelled:
            return None
        self.progress.step()
        return scored

    def _run_talks(self, talks: Sequence[Talk]) -> None:
        for place, entrant in enumerate(self.entrants):
            left = [talk for talk in talks if any(self._is_left(place, turn) for turn in talk.turns)]
            for scored in play(left, entrant) if left else ():
                new = [(place, each) for each in scored if (place, each.position) not in self.done]
                self.progress.step(len(new))
                self._keep(new)
                if self.progress.cancelled:
                    return

    def _keep(self, results: Results) -> None:
        if not results:
            return
        with self.database.write() as session:
            mine = add_results(session, self.run_id, self.owner, results)
        if not mine:  # removed, or taken over by another process
            self.progress.cancelled = True
