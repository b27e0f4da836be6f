"""What the server's socket is told."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from pathlib import Path

_DESCRIPTORS = Path("/dev/fd")
"""Those that are open: to try a thousand numbers takes seconds where another thread computes."""


def send_small_answers_at_once() -> None:
    """Turn Nagle's algorithm off on every socket that this process listens on; its connections inherit that.

    Streamlit 1.67 makes its socket without naming TCP, so that asyncio does not do it by itself: the second piece of
    every answer waited 40 ms for the client's acknowledgement. Streamlit hands the socket to nobody, hence the search:
    by descriptors, for a look at every object breaks what other threads are just building (a tuple that somebody else
    holds cannot grow: SystemError). Where sockets are no descriptors (Windows), they stay as they are.
    """
    for descriptor in _open_descriptors():
        with contextlib.suppress(OSError):  # not open any more
            # Only sockets are copied: to close a copy of a file drops every lock that this process has on it (POSIX),
            # SQLite's among them. Another program then took itself for the only one, and removed the store's WAL.
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                _send_at_once(os.dup(descriptor))


def _open_descriptors() -> list[int]:
    with contextlib.suppress(OSError):  # not on this system
        return [int(each.name) for each in _DESCRIPTORS.iterdir()]
    return []


def _send_at_once(copy: int) -> None:
    """What is set on a copy of a descriptor holds for the socket itself."""
    try:
        found = socket.socket(fileno=copy)
    except OSError:  # not a socket
        os.close(copy)
        return
    with found, contextlib.suppress(OSError):  # not a TCP socket
        if found.family in (socket.AF_INET, socket.AF_INET6):
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
