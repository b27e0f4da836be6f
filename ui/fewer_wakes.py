"""A page that is drawn wakes the server's event loop a few times, not twice for each of its parts.

Streamlit hands every part of a page to the loop by itself, and the loop tells itself once more that there is something
to send: each is a byte through a socket, and a switch between two threads. A message of Chat draws 35 parts. Here what
is handed over before the loop has come to look goes along, in the same order. `tests/ui/test_fewer_wakes.py` holds what
this relies on.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from weakref import WeakKeyDictionary

from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession

_hand_over = AppSession._call_soon_on_event_loop
_tell_of_parts = Runtime._enqueued_some_message
_waiting: WeakKeyDictionary[AppSession, list[Callable[[], None]]] = WeakKeyDictionary()
"""What the loop was already woken for, by session."""
_lock = threading.Lock()


def wake_seldom() -> None:
    """Called once, as the server starts."""
    AppSession._call_soon_on_event_loop = _hand_over_together  # type: ignore[method-assign]
    Runtime._enqueued_some_message = _tell_of_parts_here  # type: ignore[method-assign]


def _hand_over_together(self: AppSession, callback: Callable[[], None]) -> None:
    with _lock:
        waiting = _waiting.get(self)
        if waiting is not None:
            waiting.append(callback)
            return
        _waiting[self] = [callback]
    _hand_over(self, lambda: _take(self))


def _take(session: AppSession) -> None:
    """In the loop, which is told of one that fails, as if it had called it itself: it keeps no other from being
    called."""
    with _lock:
        taken = _waiting.pop(session)
    for callback in taken:
        try:
            callback()
        except Exception as error:
            told = {"message": "What a page handed over could not be taken", "exception": error}
            asyncio.get_running_loop().call_exception_handler(told)


def _tell_of_parts_here(self: Runtime) -> None:
    """A loop that is told something by itself is awake."""
    objects = self._get_async_objs()
    if asyncio._get_running_loop() is objects.eventloop:
        objects.need_send_data.set()
    else:
        _tell_of_parts(self)
