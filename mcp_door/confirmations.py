"""Calls that wait for a yes. Each code works once, for a short time, for the person and the call it was made for."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.values import ToolCall

_MOST_WAITING = 200
"""Per person: who asks for more loses the oldest."""


@dataclass(frozen=True, slots=True)
class Held:
    user_id: str
    call: ToolCall
    """What will be carried out: the task by its id, so that nothing else is deleted than what was shown."""
    asked: Mapping[str, object]
    """The arguments as the client sent them."""
    until: float
    shown: str = ""
    """A mark of the task as it was shown."""


class Confirmations:
    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._clock = clock
        self._held: dict[str, Held] = {}
        self._lock = threading.Lock()

    def hold(self, user_id: str, call: ToolCall, asked: Mapping[str, object], shown: str = "") -> str:
        """The code with which this call can be confirmed."""
        code = secrets.token_urlsafe(12)
        with self._lock:
            self._forget_old(user_id)
            self._held[code] = Held(user_id, call, dict(asked), self._clock() + self.seconds, shown)
        return code

    def take(self, code: str, user_id: str) -> Held | None:
        """The call, once. None for a code that is unknown, used, too old or somebody else's, whose it stays."""
        with self._lock:
            held = self._held.get(code)
            if held is None or held.user_id != user_id:
                return None
            del self._held[code]
        return held if self._clock() < held.until else None

    def __len__(self) -> int:
        return len(self._held)

    def _forget_old(self, user_id: str) -> None:
        now = self._clock()
        self._held = {code: held for code, held in self._held.items() if held.until > now}
        own = [code for code, held in self._held.items() if held.user_id == user_id]
        for code in own[: max(0, len(own) - _MOST_WAITING + 1)]:
            del self._held[code]
