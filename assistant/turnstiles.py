"""One message of a conversation at a time: two tabs must not answer the same question twice."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager


class _Turnstile:
    def __init__(self) -> None:
        self.lock = threading.Lock()


_turnstiles: weakref.WeakValueDictionary[str, _Turnstile] = weakref.WeakValueDictionary()
"""Of this process; between processes the conversation's revision in the store decides."""


@contextmanager
def one_at_a_time(conversation_id: str) -> Iterator[None]:
    turnstile = _turnstiles.setdefault(conversation_id, _Turnstile())
    with turnstile.lock:
        yield
