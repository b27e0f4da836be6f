"""Calls that wait for a yes: held in the store, so that the yes may come to another process than the question."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from db.clients.confirmations import HeldCall, count_held, hold_call, take_call
from db.connection import Database
from engine.border.json_form import from_json, to_json
from engine.values import ToolCall


@dataclass(frozen=True, slots=True)
class Held:
    call: ToolCall
    """What will be carried out: the task by its id, so that nothing else is deleted than what was shown."""
    asked: Mapping[str, object]
    """The arguments as the client sent them."""
    shown: str = ""
    """A mark of the task as it was shown."""


@dataclass(frozen=True, slots=True)
class Confirmations:
    seconds: float
    clock: Callable[[], float] = time.time
    """On the wall: that of another process is the same."""

    def hold(
        self, database: Database, user_id: str, call: ToolCall, asked: Mapping[str, object], shown: str = ""
    ) -> str:
        """The code with which this call can be confirmed. Blocks."""
        code, now = secrets.token_urlsafe(12), self.clock()
        held = HeldCall(to_json(call), dict(asked), shown)
        with database.write(recording=True) as session:
            hold_call(session, code, user_id, held, now=now, until=now + self.seconds)
        return code

    def take(self, database: Database, code: str, user_id: str) -> Held | None:
        """The call, once. None for a code that is unknown, used, too old or somebody else's, whose it stays. Blocks."""
        with database.write(recording=True) as session:
            found = take_call(session, code, user_id, now=self.clock())
        return Held(from_json(ToolCall, found.tool_call), found.asked, found.shown) if found else None

    def count(self, database: Database) -> int:
        with database.read() as session:
            return count_held(session)
