"""What somebody may do. The one place where it is enforced: the store itself, whoever asks and by whichever way.

A page, a route and an MCP client get a database that acts as a role (`Database.acting_as`). It refuses to write for who
may only look, and each of its sessions knows its role, for what only a maintainer may change. A database without a role
is the program's own: without a login everybody has that one.
"""

from __future__ import annotations

from typing import Final, Literal

from sqlmodel import Session

from db.failures import ToolFailure
from engine.values import ErrorKind

Role = Literal["viewer", "member", "maintainer"]
"""viewer: looks; member: chats, changes own tasks, saves cases; maintainer: policies, prices, everyone's History."""

_RANKS: Final[dict[Role, int]] = {"viewer": 0, "member": 1, "maintainer": 2}
_SAID: Final[dict[Role, str]] = {
    "viewer": "This needs a login.",
    "member": "You may look at everything of yours here, but change nothing: your role is viewer.",
    "maintainer": "Only a maintainer may do this.",
}
ROLE: Final = "role"
"""Under which a session knows its role."""


class RoleRefusedError(ToolFailure):
    """Who asks may not do this; nothing was changed."""

    def __init__(self, needed: Role) -> None:
        super().__init__(ErrorKind.NOT_ALLOWED, _SAID[needed])


def may(role: Role | None, needed: Role) -> bool:
    return role is None or _RANKS[role] >= _RANKS[needed]


def require(role: Role | None, needed: Role) -> None:
    if not may(role, needed):
        raise RoleRefusedError(needed)


def require_in(session: Session, needed: Role) -> None:
    """The same for who asked for this session."""
    require(session.info.get(ROLE), needed)
