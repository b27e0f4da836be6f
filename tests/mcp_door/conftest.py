"""The door in memory, and the SDK's own client in front of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client, types

from db.connection import Database
from db.tasks.service import Clock
from db.users import User
from mcp_door.confirmations import Confirmations
from mcp_door.server import Door, Person

OLD, NEW = "legacy", "auto"
"""Both eras of the protocol: with a handshake and requests to the client, and with neither (2026-07-28)."""
Connect = Callable[..., Client]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=[OLD, NEW])
def era(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def door(database: Database, ada: User, clock: Clock) -> Door:
    return Door(lambda _request: Person(database, ada, "in memory"), clock, Confirmations(60))


@pytest.fixture
def connect(door: Door) -> Connect:
    """`async with connect(era) as client`: a client called Desk on the door that acts for Ada."""

    def make(era: str = NEW, **options: Any) -> Client:
        options.setdefault("client_info", types.Implementation(name="Desk", version="1"))
        return Client(options.pop("door", door).make_server(), mode=era, **options)

    return make


def answering(action: str, **content: bool) -> Callable[..., Any]:
    """A person at the client who answers every question alike; `asked` on it keeps the questions."""

    async def answer(_context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        answer.asked.append(params.message)  # type: ignore[attr-defined]
        return types.ElicitResult(action=action, content=content or None)  # type: ignore[arg-type]

    answer.asked = []  # type: ignore[attr-defined]
    return answer
