"""Shards on Dask: workers on this machine, or those of a cluster that is there. The only file that imports it.

A worker needs the same Twolane, and nothing else: its shard and the policies are sent to it. Only as many shards are
sent as are soon worked on, so neither the scheduler nor this process ever holds more. A worker that dies costs time:
the scheduler gives its shard to another one.
"""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Iterator
from functools import cache
from typing import Any

from evals.bulk.deciding import DecidedShard, decide_shard
from evals.bulk.files import BulkError, Shard
from evals.bulk.job import PackedJob, open_job
from evals.evaluate.helping import spare_collecting

_WAITING_EACH = 1
"""Shards that wait for each worker beside the one that it has: it never waits for us."""
_SECONDS = "30s"
_CONFIG = {"distributed.worker.profile.enabled": False}
"""Dask's workers note a hundred times a second what they do, and keep an hour of it: 0.2 MB a second for stacks as deep
as ours."""


def has_dask() -> bool:
    return importlib.util.find_spec("distributed") is not None


def decide_on_worker(packed: PackedJob, shard: Shard) -> DecidedShard:
    _settle(packed)
    return decide_shard(packed, shard)


@cache
def _settle(packed: PackedJob) -> None:
    """In a process that does nothing else."""
    open_job(packed)
    spare_collecting()


class DaskRunner:
    """For as long as a `with` lasts."""

    def __init__(self, address: str, workers: int) -> None:
        """`address`: "local", or a scheduler's. BulkError where nobody answers there."""
        import dask
        from distributed import Client, LocalCluster

        self._cluster: Any = None
        if address == "local":
            with dask.config.set(_CONFIG):
                self._cluster = LocalCluster(
                    n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=logging.ERROR
                )
        try:
            self._client: Any = Client(self._cluster or address, timeout=_SECONDS)
        except (OSError, TimeoutError, ValueError) as error:
            raise BulkError(f"no scheduler answers at {address}: {error}") from None
        self.name = address
        self.lost: list[int] = []
        """Shards whose workers died again and again."""

    def __enter__(self) -> DaskRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()
        if self._cluster:
            self._cluster.close()

    @property
    def workers(self) -> int:
        """Threads of workers: each decides a shard."""
        found = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return sum(int(each["nthreads"]) for each in found)

    def decide(self, packed: PackedJob, shards: Iterator[Shard]) -> Iterator[DecidedShard]:
        """As they are finished. BulkError where a worker refuses, or the scheduler is gone."""
        from distributed import as_completed
        from distributed.client import FutureCancelledError
        from distributed.scheduler import KilledWorker

        under_way = as_completed([], with_results=False)
        sent: dict[str, int] = {}

        def send() -> bool:
            shard = next(shards, None)
            if shard is None:
                return False
            future = self._client.submit(decide_on_worker, packed, shard, pure=False)
            sent[future.key] = shard.number
            under_way.add(future)
            return True

        for _ in range(max(1, self.workers) * (1 + _WAITING_EACH)):
            send()
        for future in under_way:
            number = sent.pop(future.key)
            try:
                decided: DecidedShard = future.result()
            except KilledWorker:
                self.lost.append(number)
            except BulkError as error:
                raise BulkError(f"a worker refuses: {error}") from None
            except (FutureCancelledError, OSError) as error:
                raise BulkError(f"the scheduler is gone ({type(error).__name__}); what is finished is kept") from None
            else:
                yield decided
            future.release()
            # Workers may have come meanwhile.
            while len(sent) < max(1, self.workers) * (1 + _WAITING_EACH) and send():
                pass
