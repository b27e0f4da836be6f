"""Where a turn can be looked at. No streamlit."""

from __future__ import annotations

from urllib.parse import urlencode

from db.users import User


def inspect_link(user: User, turn_id: str) -> str:
    return f"/inspect?{urlencode({'turn': turn_id, 'user': user.handle})}"


def tasks_link(user: User) -> str:
    return f"/tasks?{urlencode({'user': user.handle})}"
