"""Who a browser says it is, by Streamlit's signed cookie: for pages, and for the routes beside them.

Streamlit has a public call for pages (`st.user`) and none for other routes, so that those read the cookie with its own
functions. This is the only file that knows how; `tests/ui/test_identity.py` holds what it relies on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

import streamlit as st
from streamlit.auth_util import get_cookie_with_chunks, get_secrets_auth_section
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

_NAMES = ("name", "preferred_username", "nickname", "email")
_TELLING = ("iss", "sub", "iat", "nonce", "exp")
"""What tells one login from another: all tabs of a browser have it from the same cookie."""


@dataclass(frozen=True, slots=True)
class ClaimedIdentity:
    issuer: str
    subject: str
    name: str
    email: str
    """Empty where the provider does not vouch for it."""
    expires_at: datetime
    login_id: str
    claims: Mapping[str, Any]

    def is_over(self, now: datetime) -> bool:
        return now >= self.expires_at

    def list_values(self, claim: str) -> frozenset[str]:
        """Of a claim that holds one value or several."""
        found = self.claims.get(claim)
        listed = found if isinstance(found, list | tuple) else [found]
        return frozenset(each for each in listed if isinstance(each, str))


@cache
def is_login_on() -> bool:
    """Whether `[auth]` is configured in secrets.toml; looked up once, as the server starts."""
    return bool(get_secrets_auth_section())


def find_session_identity() -> ClaimedIdentity | None:
    """Of the page that runs now, as its cookie was when the page was opened."""
    return read_claims(st.user.to_dict())


def find_cookie_identity(cookies: Mapping[str, str]) -> ClaimedIdentity | None:
    """Of a request. None also for a cookie that nobody here has signed."""
    secret = get_cookie_secret()

    def read(name: str) -> bytes | None:
        value = cookies.get(name)
        return decode_signed_value(secret, name, value.encode("latin-1", "replace")) if value else None

    try:
        found = get_cookie_with_chunks(read, USER_COOKIE_NAME)
        claims = json.loads(found) if found else {}
    except (ValueError, TypeError):
        return None
    return read_claims(claims) if isinstance(claims, dict) else None


def read_claims(claims: Mapping[str, Any]) -> ClaimedIdentity | None:
    """None for who has not logged in, and for a provider that says neither who it is nor how long this holds."""
    issuer, subject, expires = claims.get("iss"), claims.get("sub"), claims.get("exp")
    if claims.get("is_logged_in") is not True or not issuer or not subject or not isinstance(expires, int | float):
        return None
    telling = json.dumps([claims.get(name) for name in _TELLING], default=str)
    email = claims.get("email") if claims.get("email_verified") is True else ""
    return ClaimedIdentity(
        issuer=str(issuer),
        subject=str(subject),
        name=next((str(claims[name]) for name in _NAMES if claims.get(name)), str(subject)),
        email=str(email or ""),
        expires_at=datetime.fromtimestamp(expires, UTC),
        login_id=hashlib.sha256(telling.encode()).hexdigest(),
        claims=dict(claims),
    )


def list_providers() -> tuple[str, ...]:
    """Those of `[auth]`: `default` for one without a name, else the names of its sections."""
    section: Mapping[str, Any] = get_secrets_auth_section() or {}
    named = tuple(name for name, value in section.items() if isinstance(value, Mapping) and value.get("client_id"))
    return ("default", *named) if section.get("client_id") else named
