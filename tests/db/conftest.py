"""For the tests of the store: the demo fleets, dated from the clock that stands still, and what is said in SQL."""

from __future__ import annotations

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
    """What any store is told in SQL meanwhile; rows that are written together are one."""
    said: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        said.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield said
    event.remove(Engine, "before_cursor_execute", note)
