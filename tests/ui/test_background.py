"""Long work of the pages: found by its id while it runs, also where another piece of work has taken its place."""

from __future__ import annotations

import threading

import pytest

from evals.progress import Progress
from ui import background


class Waiting:
    def __init__(self) -> None:
        self.progress = Progress(1)
        self.may_end, self.began = threading.Event(), threading.Event()

    def run(self) -> None:
        self.began.set()
        assert self.may_end.wait(20)

    def cancel(self) -> None:
        self.progress.cancelled = True
        self.may_end.set()


@pytest.mark.timeout(60)
def test_work_that_was_taken_over_does_not_take_its_successor_away() -> None:
    first, second = Waiting(), Waiting()
    ended: dict[str, threading.Event] = {"first": threading.Event(), "second": threading.Event()}
    background.start("a run", first, lambda _ending: ended["first"].set())
    assert first.began.wait(20)
    threads = background.threads()
    background.start("a run", second, lambda _ending: ended["second"].set())
    first.cancel()
    for thread in threads:
        thread.join(20)
    assert ended["first"].is_set()
    assert background.find("a run") is second
    second.cancel()
    for thread in background.threads():
        thread.join(20)
    assert ended["second"].is_set()
    assert background.find("a run") is None
