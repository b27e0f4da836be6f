"""Who may use a page where a login is configured: found by the cookie, held against the store every time.

Streamlit reads the cookie once, when a page is opened. So each use of the store asks here whether that login still
holds: it has not expired, and nobody has logged out in another tab or another process.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from db.connection import Database
from db.logins import Login, begin_login, end_login, find_person, is_ended
from db.roles import Role
from db.users import User
from settings import Settings, load_settings
from ui.identity import ClaimedIdentity, find_session_identity
from ui.state.people import is_same_login

_FRESH_SECONDS: Final = 1.0
"""For so long a login that was found to hold is not looked up again: a page asks dozens of times a run."""
_MOST_KEPT: Final = 2000
LoginLack = Literal["nobody", "expired", "ended", "refused"]
_SENTENCES: Final[dict[LoginLack, str]] = {
    "nobody": "Log in to go on.",
    "expired": "Your login has expired. Log in again to go on.",
    "ended": "You have logged out. Log in again to go on.",
    "refused": "You are logged in, but may not use this workbench. Ask whoever runs it.",
}


class LoginNeededError(Exception):
    """Nobody is logged in who may use this page, in a sentence."""

    def __init__(self, why: LoginLack) -> None:
        super().__init__(_SENTENCES[why])
        self.why = why


@dataclass(frozen=True, slots=True)
class LoggedIn:
    user: User
    role: Role
    login_id: str


_found: OrderedDict[str, tuple[float, LoggedIn]] = OrderedDict()
_lock = threading.Lock()


def is_in_page() -> bool:
    """Whether this thread runs a page, rather than a route or work in the background."""
    return get_script_run_ctx(suppress_warning=True) is not None


def get_logged_in(database: Database) -> LoggedIn:
    """Who uses the page that runs now, or LoginNeededError."""
    try:
        return _get_logged_in(database)
    except LoginNeededError:
        context = get_script_run_ctx(suppress_warning=True)
        if context and context.fragment_ids_this_run:
            st.rerun()  # the whole page: what it shows must go, too
        raise


def _get_logged_in(database: Database) -> LoggedIn:
    identity = find_session_identity()
    if identity is None:
        raise LoginNeededError("nobody")
    if not is_same_login(identity.login_id):  # somebody else logged in, in another tab of this browser
        raise LoginNeededError("ended")
    now = datetime.now(UTC)
    if identity.is_over(now):
        raise LoginNeededError("expired")
    return _find_fresh(identity.login_id) or _keep(_look_up(database, identity, now))


def _look_up(database: Database, identity: ClaimedIdentity, now: datetime) -> LoggedIn:
    role = find_role(identity, load_settings())
    if role is None:
        raise LoginNeededError("refused")
    login = Login(identity.login_id, identity.issuer, identity.subject, identity.name, identity.expires_at, role)
    with database.read() as session:
        ended, user = is_ended(session, login.id), find_person(session, login)
    if ended:
        raise LoginNeededError("ended")
    if user is None:
        with database.write() as session:
            user = begin_login(session, login, now)
    return LoggedIn(user, role, login.id)


def find_role(identity: ClaimedIdentity, settings: Settings) -> Role | None:
    """The highest that the settings give; None: they turn this person away."""
    own = identity.list_values(settings.login_role_claim) | {identity.subject, identity.email} - {""}
    roles: tuple[Role, ...] = ("maintainer", "member", "viewer")
    for role in roles:
        named = getattr(settings, f"login_{role}s").split(",")
        if own & {each.strip() for each in named if each.strip()}:
            return role
    return None if settings.login_default_role == "nobody" else settings.login_default_role


def log_out(database: Database) -> None:
    """For every tab of this browser, wherever they are open."""
    identity = find_session_identity()
    if identity is None:
        return
    with database.write() as session:
        end_login(session, identity.login_id, datetime.now(UTC))
    with _lock:
        _found.pop(identity.login_id, None)


def _find_fresh(login_id: str) -> LoggedIn | None:
    with _lock:
        at, found = _found.get(login_id, (0.0, None))
    return found if found and time.monotonic() - at < _FRESH_SECONDS else None


def _keep(found: LoggedIn) -> LoggedIn:
    with _lock:
        _found[found.login_id] = (time.monotonic(), found)
        _found.move_to_end(found.login_id)
        while len(_found) > _MOST_KEPT:
            _found.popitem(last=False)
    return found
