"""Where a turn can be looked at. No streamlit."""

from __future__ import annotations

from urllib.parse import urlencode

from db.users import User


def inspect_link(user: User, turn_id: str, session: str = "", *, today: bool = False) -> str:
    """`session` where one has a policy of its own: the link opens a new one, which goes by the same. `today`: decided
    under today's settings, not under those that were in force for the turn."""
    named = {"turn": turn_id, "user": user.handle}
    own = {**({"session": session} if session else {}), **({TODAY: "1"} if today else {})}
    return f"/inspect?{urlencode({**named, **own})}"


TODAY = "today"
"""In the address of Inspect."""


def tasks_link(user: User) -> str:
    return f"/tasks?{urlencode({'user': user.handle})}"
