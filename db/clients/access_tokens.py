"""Tokens with which programs use one person's tools over HTTP.

A token reads `twl_<id>_<secret>`. It is looked up by its id and proven by its secret, of which only the hash is
kept: whoever reads the database, a backup or a log finds nothing that opens the door.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from sqlmodel import Session, col, select

from db.failures import ToolFailure
from db.models import AccessTokenRow, UserRow
from db.text import clean_title
from db.users import User, snapshot_user
from engine.values import ErrorKind

TOKEN_MARK = "twl"  # noqa: S105 - the first letters of every token, so that people and scanners recognise one
NAME_LIMIT = 60
_NO_DIGEST = hashlib.sha256(b"").hexdigest()
_USE_STEP = timedelta(minutes=1)
"""`last_used_at` is no more exact than this, so that a busy client does not write with every call."""

Standing = Literal["active", "expired", "revoked"]


@dataclass(frozen=True, slots=True)
class AccessToken:
    """What is known of a token after it was made; its secret is not."""

    id: str
    name: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None

    def standing(self, now: datetime) -> Standing:
        if self.revoked_at:
            return "revoked"
        return "expired" if self.expires_at and self.expires_at <= now else "active"


@dataclass(frozen=True, slots=True)
class Holder:
    """Whom a valid token speaks for."""

    user: User
    token_id: str
    token_name: str
    used_recently: bool
    """Whether `note_use` has nothing to do."""


class TokenRefusedError(Exception):
    """In words for whoever sent the token. That it expired or was revoked is told only to who has its secret."""


def create_token(
    session: Session, user_id: str, name: str, *, now: datetime, expires_at: datetime | None = None
) -> tuple[str, AccessToken]:
    """The token's text, which exists only in this answer, and what is kept of it."""
    cleaned = clean_name(name)
    if expires_at and expires_at <= now:
        raise ToolFailure(ErrorKind.INVALID_VALUE, "A token must expire in the future.")
    token_id, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    row = AccessTokenRow(
        id=token_id,
        user_id=user_id,
        name=cleaned,
        digest=_digest(secret),
        created_at=now.astimezone(UTC),
        expires_at=expires_at.astimezone(UTC) if expires_at else None,
    )
    session.add(row)
    session.flush()
    return f"{TOKEN_MARK}_{token_id}_{secret}", _snapshot(row)


def clean_name(name: str) -> str:
    if not name.strip():
        raise ToolFailure(ErrorKind.INVALID_VALUE, "A token needs a name: say which program will use it.")
    cleaned = clean_title(name)
    if len(cleaned) > NAME_LIMIT:
        raise ToolFailure(ErrorKind.INVALID_VALUE, f"A token's name must be at most {NAME_LIMIT} characters.")
    return cleaned


def list_tokens(session: Session, user_id: str) -> tuple[AccessToken, ...]:
    """Newest first, revoked and expired ones included."""
    own = select(AccessTokenRow).where(AccessTokenRow.user_id == user_id)
    newest_first = own.order_by(col(AccessTokenRow.created_at).desc(), col(AccessTokenRow.id))
    return tuple(_snapshot(row) for row in session.exec(newest_first))


def revoke_token(session: Session, user_id: str, token_id: str, *, now: datetime) -> AccessToken:
    """From the next request on it opens nothing. Revoking twice changes nothing."""
    own = select(AccessTokenRow).where(AccessTokenRow.id == token_id, AccessTokenRow.user_id == user_id)
    row = session.exec(own).first()
    if row is None:
        raise ToolFailure(ErrorKind.NOT_FOUND, "There is no such token.")
    row.revoked_at = row.revoked_at or now.astimezone(UTC)
    session.add(row)
    session.flush()
    return _snapshot(row)


def check_token(session: Session, text: str, *, now: datetime) -> Holder:
    """Whom the token speaks for, or TokenRefusedError. Takes as long for a wrong secret as for a right one."""
    mark, _, rest = text.partition("_")
    token_id, _, secret = rest.partition("_")
    row = session.get(AccessTokenRow, token_id) if mark == TOKEN_MARK else None
    proven = hmac.compare_digest(_digest(secret), row.digest if row else _NO_DIGEST)
    user = session.get(UserRow, row.user_id) if row else None
    if row is None or user is None or not proven:
        raise TokenRefusedError("This token is not known here. Make one on the Settings page.")
    token = _snapshot(row)
    standing = token.standing(now)
    if standing != "active":
        said = "was revoked" if standing == "revoked" else "has expired"
        raise TokenRefusedError(f"This token {said}. Make a new one on the Settings page.")
    recent = token.last_used_at is not None and now - token.last_used_at < _USE_STEP
    return Holder(snapshot_user(user), token.id, token.name, recent)


def find_ended(session: Session, token_ids: Iterable[str], *, now: datetime) -> set[str]:
    """Those of the tokens that open nothing any more."""
    wanted = set(token_ids)
    rows = session.exec(select(AccessTokenRow).where(col(AccessTokenRow.id).in_(wanted)))
    return wanted - {row.id for row in rows if _snapshot(row).standing(now) == "active"}


def note_use(session: Session, token_id: str, *, now: datetime) -> None:
    row = session.get(AccessTokenRow, token_id)
    if row:
        row.last_used_at = now.astimezone(UTC)
        session.add(row)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _snapshot(row: AccessTokenRow) -> AccessToken:
    return AccessToken(
        row.id,
        row.name,
        _in_utc(row.created_at),
        _in_utc(row.expires_at) if row.expires_at else None,
        _in_utc(row.last_used_at) if row.last_used_at else None,
        _in_utc(row.revoked_at) if row.revoked_at else None,
    )


def _in_utc(moment: datetime) -> datetime:
    """SQLite gives times back without their zone; they were written in UTC."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
