"""A second process for long lists of probes: it begins at their end, and where the two meet, all is done.

It is a fork of this one, for to load a policy and its probes anew would take longer than to try an edit. A fork of a
process with threads may stand still, where one of them held a lock just then: so nobody ever waits for it. What it has
not sent is run here.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import signal
import struct
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

from evals.effect.looking import Look
from evals.effect.probes import ProbeResult

FEWEST = 150
"""Fewer probes are run sooner than a process is begun."""
_AT_ONCE = 16
"""So many results are sent together."""
_HEAD = struct.Struct("!I")
_NICE = 10
Tried = tuple[Look | None, ProbeResult | None]
"""What a probe came to before the edit, None where nobody had to look or it is known; and what it comes to after it,
None where the edit cannot touch it."""


def can_help() -> bool:
    """Where a process can be forked, and there is a processor for it. Not while somebody looks through this one."""
    return sys.platform == "linux" and (os.cpu_count() or 1) > 1 and sys.gettrace() is None


class ProbeHelper:
    """Runs the probes of these places from the last one on, for as long as a `with` lasts."""

    def __init__(self, places: Sequence[int], run: Callable[[int], Tried], *, in_no_hurry: bool = False) -> None:
        """`in_no_hurry`: everything else on this machine goes first."""
        self.results: dict[int, Tried] = {}
        self._received = bytearray()
        self._pipe, sending = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            if in_no_hurry:
                os.nice(_NICE)
            _help(sending, self._pipe, places, run)
        os.close(sending)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._pipe)

    def has(self, place: int) -> bool:
        """Whether this one is done. Takes what has come, and waits for nothing."""
        while select.select([self._pipe], [], [], 0)[0]:
            if not self._receive():
                break
        return place in self.results

    def wait(self, seconds: float = 0.2) -> bool:
        """Until something has come, or that long. False: it has ended, and nothing more will come."""
        return not select.select([self._pipe], [], [], seconds)[0] or self._receive()

    def _receive(self) -> bool:
        data = os.read(self._pipe, 1 << 20)
        self._received += data
        self._take()
        return bool(data)

    def _take(self) -> None:
        while len(self._received) >= _HEAD.size:
            (size,) = _HEAD.unpack_from(self._received)
            if len(self._received) < _HEAD.size + size:
                return
            self.results.update(pickle.loads(bytes(self._received[_HEAD.size : _HEAD.size + size])))  # noqa: S301 - ours
            del self._received[: _HEAD.size + size]


def _help(sending: int, reading: int, places: Sequence[int], run: Callable[[int], Tried]) -> None:
    """In the forked process, which ends here: nothing of what its parent would do at its own end is done."""
    try:
        gc.disable()  # to look through all that was there before would copy it
        os.close(reading)  # so that a parent that is gone is noticed
        found: dict[int, Tried] = {}
        for place in reversed(places):
            found[place] = run(place)
            if len(found) == _AT_ONCE or place == places[0]:
                data = pickle.dumps(found, pickle.HIGHEST_PROTOCOL)
                _write_all(sending, _HEAD.pack(len(data)) + data)
                found = {}
    finally:
        os._exit(0)


def _write_all(pipe: int, data: bytes) -> None:
    while data:
        data = data[os.write(pipe, data) :]
