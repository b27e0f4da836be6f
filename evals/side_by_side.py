"""The same lines through several deciders, the others held against the first. One failing line never ends a run."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from db.evaluation.comparisons import ComparedLine
from domains.loading import TASKS
from engine.decision import Context, Decision, Reason
from engine.explaining.agreement import compare, standing_of
from evals.answers import TimedDecision, read_failure, write_answer
from evals.asking import CostOf, Entrant, ask
from evals.expecting import judge_expected
from evals.line_files import Line
from evals.progress import Progress
from evals.tally import Tally
from llm.patience import Cancel

_log = logging.getLogger(__name__)
_QUICK_CHUNK, _SLOW_CHUNK = 200, 16
Keep = Callable[[Sequence[ComparedLine], Sequence[dict[str, Any]]], bool]
"""Takes the lines that are finished and the figures so far; False: nobody wants them any more."""


@dataclass
class Run:
    entrants: Sequence[Entrant]
    lines: Sequence[Line]
    make_context: Callable[[Line], Context]
    cost_of: CostOf
    keep: Keep
    domain: str = TASKS
    kept: Sequence[ComparedLine] = ()
    """What was compared before this began: it counts in the figures."""
    progress: Progress = field(init=False)
    _cancels: set[Cancel] = field(default_factory=set)

    def __post_init__(self) -> None:
        before = len(self.kept) * len(self.entrants)
        self.progress = Progress(before + len(self.lines) * len(self.entrants), before, before=before)

    def cancel(self) -> None:
        """Ends the requests under way, too. What was finished before stays."""
        self.progress.cancelled = True
        for cancel in tuple(self._cancels):
            cancel.cancel()

    def run(self) -> None:
        tally = Tally([entrant.name for entrant in self.entrants])
        for line in self.kept:
            tally.add(line)
        size = _SLOW_CHUNK if any(entrant.slow for entrant in self.entrants) else _QUICK_CHUNK
        with ExitStack() as stack:
            pools = {
                place: stack.enter_context(ThreadPoolExecutor(entrant.at_once, thread_name_prefix="compare"))
                for place, entrant in enumerate(self.entrants)
                if entrant.slow
            }
            for start in range(0, len(self.lines), size):
                finished = self._run_chunk(self.lines[start : start + size], pools)
                for each in finished:
                    tally.add(each)
                wanted = self.keep(finished, tally.figures()) if finished else True
                if self.progress.cancelled or not wanted:
                    return

    def _run_chunk(self, lines: Sequence[Line], pools: dict[int, ThreadPoolExecutor]) -> list[ComparedLine]:
        contexts = [self.make_context(line) for line in lines]
        waiting: dict[tuple[int, int], Future[TimedDecision | None]] = {
            (row, place): pool.submit(self._ask, place, line, contexts[row])
            for row, line in enumerate(lines)
            for place, pool in pools.items()
        }
        finished = []
        for row, line in enumerate(lines):
            answers: list[TimedDecision | None] = []
            for place in range(len(self.entrants)):
                future = waiting.get((row, place))
                answers.append(future.result() if future else self._ask(place, line, contexts[row]))
            if all(answer is not None for answer in answers):
                given = [answer for answer in answers if answer]
                finished.append(judge(line, given, contexts[row], self.domain))
        return finished

    def _ask(self, place: int, line: Line, context: Context) -> TimedDecision | None:
        """None only where the run was cancelled."""
        if self.progress.cancelled:
            return None
        entrant, cancel = self.entrants[place], Cancel()
        began = time.perf_counter()
        self._cancels.add(cancel)
        try:
            answer = ask(entrant, line.text, context, cancel, self.cost_of)
        except Exception as error:  # a bug of a decider costs its own answer, not the run
            _log.exception("%s failed on line %s", entrant.name, line.number)
            answer = read_failure(error, (time.perf_counter() - began) * 1000)
        finally:
            self._cancels.discard(cancel)
        if cancel.cancelled:
            return None
        self.progress.step()
        return answer


def judge(line: Line, answers: Sequence[TimedDecision], context: Context, domain: str = TASKS) -> ComparedLine:
    """The line with all its answers: how the others stand to the first, and each to what was expected."""
    first = answers[0]
    written = [write_answer(first, context)]
    standings = []
    for other in answers[1:]:
        standing, differences = _hold(first.decision, other.decision)
        standings.append(standing)
        written.append({**write_answer(other, context), "standing": standing, "differences": differences})
    broken = any(answer.is_broken for answer in answers)
    if line.expected is not None:
        for each, answer in zip(written, answers, strict=True):
            each["wrong"] = list(judge_expected(line.expected, line.text, answer.decision, context, domain))
    return ComparedLine(
        line=line.number,
        text=line.text,
        context=line.context,
        intent=first.decision.intent if first.decision else "unknown",
        differs="differ" in standings,
        silent=any(standing in ("first_silent", "second_silent") for standing in standings),
        broken=broken,
        answers=tuple(written),
        expected=line.expected,
        wrong=any(each["wrong"] for each in written) if line.expected is not None else None,
    )


def _hold(first: Decision | None, other: Decision | None) -> tuple[str, list[list[Any]]]:
    if first is None or other is None or Reason.UNAVAILABLE in (first.reason, other.reason):
        return "failed", []
    standing = standing_of(first, other)
    differences = compare(first, other).differences if standing == "differ" else ()
    return standing, [[each.call, each.name, each.first, each.second] for each in differences]
