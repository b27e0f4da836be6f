"""One user's machines as the composer takes them, kept in memory for as long as nothing changes."""

from __future__ import annotations

import threading
from collections import OrderedDict

from sqlmodel import Session, select

from db.machines.reading import read_machines
from db.models import UserRow
from domains.machines.memory_fleet import MemoryFleet

_MOST_KEPT = 8
_kept: OrderedDict[tuple[str, int], MemoryFleet] = OrderedDict()
_lock = threading.Lock()


def load_fleet(session: Session, user_id: str) -> MemoryFleet:
    """The same object for as long as the user's fleet has not changed."""
    key = (user_id, session.exec(select(UserRow.fleet_revision).where(UserRow.id == user_id)).one())
    with _lock:
        found = _kept.get(key)
        if found is not None:
            _kept.move_to_end(key)
            return found
    fleet = MemoryFleet(read_machines(session, user_id))
    with _lock:
        _kept[key] = fleet
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)
    return fleet
