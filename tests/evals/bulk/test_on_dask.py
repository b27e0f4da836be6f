"""Shards on Dask, as real processes: a scheduler and two workers over TCP, of which one is killed in the middle."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evals.bulk.files import BulkError
from evals.bulk.folder import State
from evals.bulk.on_dask import DaskRunner
from evals.bulk.running import run_shards
from settings import ROOT
from tests.evals.bulk.made_up import begin, many, run_here, write_lines


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, list[int]]]:
    """A scheduler and its workers as somebody starts them by hand: the address, and the workers' processes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        quiet = subprocess.DEVNULL
        command = [sys.executable, "-m", "dask", *arguments]
        started.append(subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet))

    start("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show")
    for _ in range(workers):
        start("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    try:
        yield address, [process.pid for process in started[1:]]
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def test_a_worker_that_is_killed_changes_no_figure(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", [*many(300), "{bad"])
    run = begin(tmp_path / "run", [path], shard=25)
    with cluster(2) as (address, workers), DaskRunner(address, 2) as runner:

        def kill_one(state: State) -> None:
            if state.shards == 2:
                os.kill(workers[0], signal.SIGKILL)

        assert run_shards(run, runner, kill_one).status == "done"
    assert run.figures() == run_here(begin(tmp_path / "here", [path], shard=25))
    assert len(run.shard_paths()) == 13


@pytest.mark.thorough("tests/evals/bulk/test_on_dask.py::test_a_worker_that_is_killed_changes_no_figure")
def test_two_local_workers_give_the_same_figures(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", many(60))
    run = begin(tmp_path / "run", [path], shard=10)
    with DaskRunner("local", 2) as runner:
        figures = run_here(run, runner)
    assert runner.name == "local"
    assert run.state().workers == 2
    assert figures == run_here(begin(tmp_path / "here", [path], shard=10))


def test_where_no_scheduler_answers_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evals.bulk.on_dask._SECONDS", "100ms")
    with pytest.raises(BulkError, match="no scheduler answers at tcp://127"):
        DaskRunner("tcp://127.0.0.1:9", 1)
