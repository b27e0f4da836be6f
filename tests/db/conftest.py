"""For the tests of the store: the demo fleets, dated from the clock that stands still, and what is said in SQL."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, event

from db.connection import Database
from db.machines.seed import seed_machines
from db.tasks.service import Clock
from db.users import User


@pytest.fixture
def fleet(database: Database, ada: User, clock: Clock) -> int:
    """Ada has Maya's machines; returns how many."""
    return seed_machines(database, ada, clock)


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """What the test tells any store in SQL; rows that are written together are one. What other threads of the process
    have to do (an evaluation that an earlier test began) is not the test's."""
    said: list[str] = []
    own = threading.get_ident()

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if threading.get_ident() == own:
            said.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield said
    event.remove(Engine, "before_cursor_execute", note)
