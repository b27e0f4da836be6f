"""Where a turn can be looked at. No streamlit."""

from __future__ import annotations

from urllib.parse import urlencode

from db.users import User


def inspect_link(user: User, turn_id: str, session: str = "") -> str:
    """`session` where one has a policy of its own: the link opens a new one, which goes by the same."""
    own = {"session": session} if session else {}
    return f"/inspect?{urlencode({'turn': turn_id, 'user': user.handle, **own})}"
