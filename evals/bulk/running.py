"""A run from its first shard to its figures: in this process, or on Dask."""

from __future__ import annotations

import gc
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Protocol

from evals.bulk.deciding import DecidedShard, decide_shard, peak_memory
from evals.bulk.files import BulkError, Shard, cut_shards
from evals.bulk.folder import RunFolder, State
from evals.bulk.job import PackedJob, open_job
from evals.progress import Progress

Tell = Callable[[State], None]
_LATELY = 30.0
"""Seconds over which the rate is told."""


class Runner(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def workers(self) -> int: ...
    @property
    def lost(self) -> list[int]: ...
    def decide(self, packed: PackedJob, shards: Iterator[Shard]) -> Iterator[DecidedShard]: ...


class ThisProcess:
    """Without Dask."""

    name = "this process"
    workers = 1

    def __init__(self) -> None:
        self.lost: list[int] = []

    def decide(self, packed: PackedJob, shards: Iterator[Shard]) -> Iterator[DecidedShard]:
        open_job(packed)
        with _without_looking_through():
            for shard in shards:
                yield decide_shard(packed, shard)


@contextmanager
def _without_looking_through() -> Iterator[None]:
    """Policies stay to the end: to look through them for garbage again and again takes a tenth of the time."""
    before, had_frozen = gc.get_threshold(), gc.get_freeze_count() > 0
    gc.freeze()
    gc.set_threshold(50_000)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if not had_frozen:  # what stays anyway, as that of a server, stays left out
            gc.unfreeze()


def run_shards(folder: RunFolder, runner: Runner, tell: Tell) -> State:
    """All shards that are not there yet, then the figures. What is finished stays, whatever ends it."""
    plan, packed = folder.plan(), folder.packed_job()
    finished = folder.finished()
    watch = _Watch(folder, runner, plan.size, finished)
    todo = (shard for shard in cut_shards(plan.files, plan.most_rows) if shard.number not in finished)
    try:
        tell(watch.keep("running"))
        for decided in runner.decide(packed, todo):
            folder.keep_shard(decided.number, decided.content)
            tell(watch.add(decided))
    except KeyboardInterrupt:
        watch.keep("stopped")
        raise
    except BulkError as error:
        watch.keep("failed", str(error))
        raise
    except BaseException as error:
        watch.keep("failed", f"{type(error).__name__}: {error}")
        raise
    if runner.lost:
        lost = ", ".join(map(str, sorted(runner.lost)[:10]))
        return watch.keep("incomplete", f"{len(runner.lost)} shards killed their workers again and again: {lost}")
    folder.keep_figures(folder.merge())
    return watch.keep("done")


class _Watch:
    """How far a run is, kept beside its shards for whoever looks at it from elsewhere."""

    def __init__(self, folder: RunFolder, runner: Runner, size: int, finished: Mapping[int, Mapping[str, Any]]) -> None:
        self._folder, self._runner = folder, runner
        # What was kept of a run that was killed may lack its last shard: the shards themselves say what there is.
        total = {
            name: sum(each[name] for each in finished.values()) for name in ("messages", "bad", "distinct", "span")
        }
        self._progress = Progress(size, total["span"], before=total["span"])
        before = folder.state() if finished else State("running")
        self._before = self._state = replace(
            before,
            status="running",
            messages=total["messages"],
            bad=total["bad"],
            distinct=total["distinct"],
            shards=len(finished),
            read=total["span"],
            on=runner.name,
            problem="",
        )
        self._began = time.monotonic()
        self._lately: deque[tuple[float, int]] = deque([(self._began, self._state.messages)])

    def add(self, decided: DecidedShard) -> State:
        self._progress.step(decided.span)
        now, state = time.monotonic(), self._state
        self._state = replace(
            state,
            messages=state.messages + decided.messages,
            bad=state.bad + decided.bad,
            distinct=state.distinct + decided.distinct,
            shards=state.shards + 1,
            read=self._progress.done,
            deciding=state.deciding + decided.deciding,
            processor=state.processor + decided.processor,
            worker_mb=max(state.worker_mb, decided.peak_mb),
        )
        self._lately.append((now, self._state.messages))
        while len(self._lately) > 2 and now - self._lately[0][0] > _LATELY:
            self._lately.popleft()
        return self.keep("running")

    def keep(self, status: str, problem: str = "") -> State:
        now = time.monotonic()
        seconds = now - self._began
        since, messages = self._lately[0]
        workers = max(1, self._runner.workers) if status == "running" else max(1, self._state.workers)
        self._state = replace(
            self._state,
            status=status,  # type: ignore[arg-type]
            seconds=self._before.seconds + seconds,
            working=self._before.working + seconds * workers,
            workers=workers,
            own_mb=peak_memory(),
            rate=(self._state.messages - messages) / max(1e-9, now - since),
            left=self._progress.seconds_left if status == "running" else None,
            problem=problem,
        )
        self._folder.keep_state(self._state)
        return self._state
