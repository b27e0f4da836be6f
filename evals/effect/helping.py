"""Further processes for long lists of probes, one for each processor that is left: each takes its share of them from
the end on, this one its own and then what the others have not done. Where they meet, all is done.

They are forks of this one, for to load a policy and its probes anew would take longer than to try an edit. A fork of a
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
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from evals.effect.looking import Look

FEWEST = 75
"""Fewer probes are run sooner than a process is begun for them."""
_MOST = 7
"""Each of them has a copy of what it writes to, and others want a processor, too."""
_AT_ONCE = 16
"""So many results are sent together, or what there is after so many seconds."""
_AT_LEAST_EVERY = 0.2
_HEAD = struct.Struct("!I")
_NICE = 10
Tried = tuple[Look | None, Look | None]
"""What a probe came to before the edit, None where nobody had to look or it is known; and what it comes to after it,
None where the edit cannot touch it."""
_Found = TypeVar("_Found")


def count_helpers() -> int:
    """Where processes can be forked, so many as there are processors beside this one's. None while somebody looks
    through this one."""
    if sys.platform != "linux" or sys.gettrace() is not None:
        return 0
    return min(_MOST, len(os.sched_getaffinity(0)) - 1)


class ProbeHelper(Generic[_Found]):
    """Runs the probes of these places from the last one on, for as long as a `with` lasts."""

    def __init__(self, places: Sequence[int], run: Callable[[int], _Found], *, in_no_hurry: bool = False) -> None:
        """`in_no_hurry`: everything else on this machine goes first."""
        self.results: dict[int, _Found] = {}
        self._received = bytearray()
        self._folder = TemporaryDirectory(prefix="twolane-helper-")
        """For the stores of conversations: who is ended in the middle of one clears nothing away."""
        self._pipe, sending = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            tempfile.tempdir = self._folder.name
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
        self._folder.cleanup()

    def take(self) -> None:
        """Takes what has come, and waits for nothing."""
        while select.select([self._pipe], [], [], 0)[0]:
            if not self._receive():
                break

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


class ProbeShares:
    """The probes of these places, dealt out to this process and to so many helpers, for as long as a `with` lasts."""

    def __init__(self, places: Sequence[int], run: Callable[[int], Tried], helpers: int) -> None:
        self._shares = [places[share :: helpers + 1] for share in range(helpers + 1)]
        self._run = run
        self._helpers: list[ProbeHelper[Tried]] = []
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:  # where a process cannot be had, those before it are ended
            self._helpers = [
                stack.enter_context(ProbeHelper(share[::-1], self._run)) for share in self._shares[1:] if share
            ]
            self._stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stack.close()

    def each(self) -> Iterator[tuple[int, Tried | None]]:
        """Every place once: with what a helper found there, as soon as it is known; or None, where it is to be run
        here."""
        given: set[int] = set()
        own, *others = self._shares
        # Each in its own order, the likeliest first; of what another has not done the last ones.
        for share in (own, *(each[::-1] for each in others)):
            for place in share:
                yield from self._found(given)
                if place not in given:
                    given.add(place)
                    yield place, None

    def _found(self, given: set[int]) -> Iterator[tuple[int, Tried]]:
        for helper in self._helpers:
            helper.take()
            for place, tried in helper.results.items():
                if place not in given:
                    given.add(place)
                    yield place, tried
            helper.results.clear()


def _help(sending: int, reading: int, places: Sequence[int], run: Callable[[int], Any]) -> None:
    """In the forked process, which ends here: nothing of what its parent would do at its own end is done."""
    try:
        gc.disable()  # to look through all that was there before would copy it
        os.close(reading)  # so that a parent that is gone is noticed
        found: dict[int, Any] = {}
        sent = time.monotonic()
        for place in reversed(places):
            found[place] = run(place)
            late = time.monotonic() - sent > _AT_LEAST_EVERY
            if late or len(found) == _AT_ONCE or place == places[0]:
                data = pickle.dumps(found, pickle.HIGHEST_PROTOCOL)
                _write_all(sending, _HEAD.pack(len(data)) + data)
                found, sent = {}, time.monotonic()
    finally:
        os._exit(0)


def _write_all(pipe: int, data: bytes) -> None:
    while data:
        data = data[os.write(pipe, data) :]
