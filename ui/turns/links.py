"""Where a turn can be looked at. No streamlit."""

from __future__ import annotations

from urllib.parse import urlencode

from db.users import User


def inspect_link(user: User, turn_id: str, *, today: bool = False) -> str:
    """`today`: decided under today's settings, not under those that were in force for the turn."""
    named = {"turn": turn_id, "user": user.handle, **({TODAY: "1"} if today else {})}
    return f"/inspect?{urlencode(named)}"


TODAY = "today"
"""In the address of Inspect."""


def tasks_link(user: User) -> str:
    return f"/tasks?{urlencode({'user': user.handle})}"
