"""Machines for the tests of the store: the demo fleets, dated from the clock that stands still."""

from __future__ import annotations

import pytest

from db.connection import Database
from db.machines.seed import seed_machines
from db.tasks.service import Clock
from db.users import User


@pytest.fixture
def fleet(database: Database, ada: User, clock: Clock) -> int:
    """Ada has Maya's machines; returns how many."""
    return seed_machines(database, ada, clock)
