"""What must exist once in a process, however often Streamlit's hot reload imports our modules again.

A reload drops every module of this project from `sys.modules` and imports it anew, with empty caches: a server
kept in one of them would be started a second time, and the first would run on. So it is kept in a module that has
no file. Streamlit watches files, and never drops this one.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Hashable
from types import ModuleType
from typing import Any, TypeVar

_NAME = "_twolane_process"
Kept = TypeVar("Kept")


def keep_once(name: Hashable, make: Callable[[], Kept]) -> Kept:
    """What is kept under this name, made now if there is nothing yet; only one thread makes it."""
    room = _room()
    with room["lock"]:
        if name not in room["kept"]:
            room["kept"][name] = make()
        kept: Kept = room["kept"][name]
        return kept


def find_kept(name: Hashable) -> Any | None:
    return _room()["kept"].get(name)


def _room() -> dict[str, Any]:
    # Each setdefault is one step for all threads: they end up with the same module, lock and dictionary.
    room = vars(sys.modules.setdefault(_NAME, ModuleType(_NAME)))
    room.setdefault("lock", threading.RLock())
    room.setdefault("kept", {})
    return room
