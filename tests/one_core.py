"""The embedded model on one core, as in a container that has no more, and no longer behind all others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from llm.embedded_child import NICENESS


@contextmanager
def one_core() -> Iterator[None]:
    """What is started here keeps to one core, where the system knows of such a thing, and has its turn on it.

    The model takes a thread for each core, and each of them waits for the others in a loop. With other tests on the
    cores it waits for threads that have none: an answer then takes 16 seconds of processor time instead of 1.8.
    It also lowers its own priority for the sake of pages, by `NICENESS`; beside two processes that test it would get a
    tenth of a core. Root may begin as much higher, so that it ends up where the tests are.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores, priority = os.sched_getaffinity(0), os.getpriority(os.PRIO_PROCESS, 0)
    os.sched_setaffinity(0, {max(cores)})
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, priority - NICENESS)
    try:
        yield
    finally:
        os.setpriority(os.PRIO_PROCESS, 0, priority)
        os.sched_setaffinity(0, cores)
