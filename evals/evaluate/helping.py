"""A process that helps with a long run: it hears which deciders there are, then judges batches until nobody asks.

python -m evals.evaluate.helping        (started by `evals.evaluate.helper_processes`, which talks to it)

It is a program of its own. A fork would take the threads of a workbench with it in the middle of something, and a pool
of `multiprocessing` loads the script of the server in each of its processes. It imports neither the store nor openai.
"""

from __future__ import annotations

import gc
import pickle
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

from db.evaluation.run_values import ScoredCase
from engine.decision import Context, Decider
from evals.answers import TimedDecision, read_answer
from evals.case import Case
from evals.evaluate.engines import SavedPolicy, load_policies, make_quick
from evals.evaluate.judging import judge_case, warm
from evals.evaluate.specs import DeciderSpec


class Recipe(NamedTuple):
    """A decider, as another process can make it, too."""

    spec: DeciderSpec
    domain: str
    saved: tuple[SavedPolicy, ...] = ()


class AskedCase(NamedTuple):
    """One case for one decider."""

    decider: int
    position: int
    key: str
    case: Case


Results = list[tuple[int, ScoredCase]]


def make_deciders(recipes: Sequence[Recipe]) -> list[Decider]:
    return [make_quick(each.spec, each.domain, load_policies(each.saved, each.domain)) for each in recipes]


def judge_quick(deciders: Sequence[Decider], batch: Sequence[AskedCase]) -> Results:
    return [(each.decider, _judge(deciders[each.decider], each)) for each in batch]


def _judge(decider: Decider, asked: AskedCase) -> ScoredCase:
    def answer(text: str, context: Context) -> TimedDecision:
        began = time.perf_counter()
        decision = decider.decide(text, context)
        return read_answer(decision, (time.perf_counter() - began) * 1000)

    return judge_case(answer, asked.case, asked.position, asked.key)


def spare_collecting() -> None:
    """In a process that does nothing else: what is there stays to the end, and a decision leaves hardly any garbage."""
    gc.freeze()
    gc.set_threshold(50_000)


def main() -> None:
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever prints must not get between the answers
    deciders = make_deciders(pickle.load(questions))  # noqa: S301 - of the process that started this one
    spare_collecting()
    warmed = False
    while True:
        try:
            batch: list[AskedCase] = pickle.load(questions)  # noqa: S301
        except EOFError:
            return
        if not warmed:
            warm(deciders, [each.case for each in batch])
            warmed = True
        pickle.dump(judge_quick(deciders, batch), answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()


if __name__ == "__main__":
    main()
