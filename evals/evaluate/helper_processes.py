"""Processes that help with a long run, so that all processors work on it and the workbench stays quick.

One that dies costs nothing but time: what it had is judged here.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import IO, Self, cast

from evals.evaluate.helping import AskedCase, Recipe, Results

ROOT = Path(__file__).parents[2]
MOST_HELPERS = max(1, min(2, os.cpu_count() or 1))
_LOST = (OSError, EOFError, ValueError, pickle.PickleError)
JudgeHere = Callable[[Sequence[AskedCase]], Results]


class Helper:
    """One process."""

    def __init__(self, recipes: Sequence[Recipe]) -> None:
        known = os.environ.get("PYTHONPATH")
        path = os.pathsep.join([str(ROOT), *([known] if known else [])])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "evals.evaluate.helping"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )
        self._questions, self._answers = cast(IO[bytes], self.process.stdin), cast(IO[bytes], self.process.stdout)
        self._recipes: Sequence[Recipe] | None = recipes

    def ask(self, batch: Sequence[AskedCase]) -> Results:
        """Waits. Raises one of `_LOST` where the process is not there any more."""
        if self._recipes is not None:
            self._send(list(self._recipes))
            self._recipes = None
        self._send(list(batch))
        found: Results = pickle.load(self._answers)  # noqa: S301 - of our own process
        return found

    def _send(self, value: object) -> None:
        pickle.dump(value, self._questions, pickle.HIGHEST_PROTOCOL)
        self._questions.flush()

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self._questions, self._answers):
            with suppress(OSError):  # what was not sent any more
                pipe.close()


class Helpers:
    """Several, for as long as a `with` lasts."""

    def __init__(self, recipes: Sequence[Recipe], count: int = 0) -> None:
        """`count`: 0 for as many as are good for this machine."""
        self.helpers = [Helper(recipes) for _ in range(count or MOST_HELPERS)]
        self._free: SimpleQueue[Helper | None] = SimpleQueue()
        for helper in self.helpers:
            self._free.put(helper)
        self._waiting = ThreadPoolExecutor(len(self.helpers), thread_name_prefix="helper")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for helper in self.helpers:
            helper.process.kill()  # whoever waits for it hears that at once
        self._waiting.shutdown(cancel_futures=True)
        for helper in self.helpers:
            helper.end()

    def judge(self, batches: Iterable[Sequence[AskedCase]], judge_here: JudgeHere) -> Iterator[Results]:
        """In the order of the batches; only as many are taken as are soon worked on."""
        under_way: deque[Future[Results]] = deque()
        for batch in batches:
            under_way.append(self._waiting.submit(self._ask, batch, judge_here))
            if len(under_way) > len(self.helpers):
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()

    def _ask(self, batch: Sequence[AskedCase], judge_here: JudgeHere) -> Results:
        helper = self._free.get()
        try:
            if helper:
                return helper.ask(batch)
        except _LOST:
            helper = None
        finally:
            self._free.put(helper)
        return judge_here(batch)
