"""A page that is drawn wakes the server's event loop a few times, not twice for each of its parts.

Streamlit hands every part of a page to the loop by itself, and the loop tells itself once more that there is something
to send: each is a byte through a socket, and a switch between two threads. A message of Chat draws 35 parts. Here what
is handed over before the loop has come to look goes along, in the same order. A part goes as it is, and not as one of
all the events that a run of a page may have; the loop is told once for all of them that there is something to send.
`tests/ui/test_fewer_wakes.py` holds what this relies on.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent


class _Part(NamedTuple):
    """Of a page, drawn by this run of it."""

    runner: ScriptRunner | None
    message: ForwardMsg


_PART = ScriptRunnerEvent.ENQUEUE_FORWARD_MSG
_hand_over = AppSession._call_soon_on_event_loop
_tell_of_event = AppSession._on_scriptrunner_event
_tell_of_parts = Runtime._enqueued_some_message
_waiting: WeakKeyDictionary[AppSession, list[Callable[[], None] | _Part]] = WeakKeyDictionary()
"""What the loop was already woken for, by session."""
_lock = threading.Lock()


def wake_seldom() -> None:
    """Called once, as the server starts."""
    AppSession._on_scriptrunner_event = _hand_over_part  # type: ignore[method-assign]
    AppSession._call_soon_on_event_loop = _hand_over_together  # type: ignore[method-assign]
    Runtime._enqueued_some_message = _tell_of_parts_here  # type: ignore[method-assign]


def _hand_over_part(
    self: AppSession,
    sender: ScriptRunner | None,
    event: ScriptRunnerEvent,
    forward_msg: ForwardMsg | None = None,
    *others: Any,
    **named: Any,
) -> None:
    if event is _PART and forward_msg is not None:
        _hand_over_together(self, _Part(sender, forward_msg))
    else:
        _tell_of_event(self, sender, event, forward_msg, *others, **named)


def _hand_over_together(self: AppSession, callback: Callable[[], None] | _Part) -> None:
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
    has_parts = False
    for given in taken:
        try:
            if not isinstance(given, _Part):
                given()
            elif given.runner is session._scriptrunner:  # else of a run that is over: what it draws counts no more
                session._browser_queue.enqueue(given.message)
                has_parts = True
        except Exception as error:
            told = {"message": "What a page handed over could not be taken", "exception": error}
            asyncio.get_running_loop().call_exception_handler(told)
    if has_parts and session._message_enqueued_callback:
        session._message_enqueued_callback()


def _tell_of_parts_here(self: Runtime) -> None:
    """A loop that is told something by itself is awake."""
    objects = self._get_async_objs()
    if asyncio._get_running_loop() is objects.eventloop:
        objects.need_send_data.set()
    else:
        _tell_of_parts(self)
