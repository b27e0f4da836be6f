"""A page that is drawn wakes the server's event loop a few times, not twice for each of its parts.

Streamlit hands every part of a page to the loop by itself, and the loop tells itself once more that there is something
to send: each is a byte through a socket, and a switch between two threads. A message of Chat draws 35 parts. Here what
is handed over before the loop has come to look goes along, in the same order; parts are fetched all in one go as the
run ends, or what there is of them after a moment that nobody sees. A part goes as it is, and not as one of all the
events that a run of a page may have; the loop is told once for all of them that there is something to send.
`tests/ui/test_fewer_wakes.py` holds what this relies on.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent

_MOMENT_SECONDS = 0.02


class _Part(NamedTuple):
    """Of a page, drawn by this run of it."""

    runner: ScriptRunner | None
    message: ForwardMsg


@dataclass
class _Waiting:
    """What one session hands over, and whether the loop was woken to take it, or to take it in a moment."""

    given: list[Callable[[], None] | _Part] = field(default_factory=list)
    taken_now: bool = False
    taken_soon: bool = False


_PART = ScriptRunnerEvent.ENQUEUE_FORWARD_MSG
_hand_over = AppSession._call_soon_on_event_loop
_tell_of_event = AppSession._on_scriptrunner_event
_tell_of_parts = Runtime._enqueued_some_message
_waiting: WeakKeyDictionary[AppSession, _Waiting] = WeakKeyDictionary()
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
    if event is not _PART or forward_msg is None:
        _tell_of_event(self, sender, event, forward_msg, *others, **named)
    elif _is_first(self, _Part(sender, forward_msg), now=False):
        _hand_over(self, lambda: _take_soon(self))


def _hand_over_together(self: AppSession, callback: Callable[[], None]) -> None:
    if _is_first(self, callback, now=True):
        _hand_over(self, lambda: _take(self))


def _is_first(session: AppSession, given: Callable[[], None] | _Part, now: bool) -> bool:
    """Whether the loop has to be woken for it."""
    with _lock:
        waiting = _waiting.setdefault(session, _Waiting())
        waiting.given.append(given)
        if waiting.taken_now or (waiting.taken_soon and not now):
            return False
        waiting.taken_now, waiting.taken_soon = now, True
        return True


def _take_soon(session: AppSession) -> None:
    asyncio.get_running_loop().call_later(_MOMENT_SECONDS, _take, session)


def _take(session: AppSession) -> None:
    """In the loop, which is told of one that fails, as if it had called it itself: it keeps no other from being
    called. What was fetched meanwhile is gone."""
    with _lock:
        waiting = _waiting.pop(session, None)
    has_parts = False
    for given in waiting.given if waiting else ():
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
