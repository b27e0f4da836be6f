"""From a login to a person: found by issuer and subject, made by the first login, with the role of the last one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlmodel import Session, col, delete, select

from db.login_models import IdentityRow, LoginRow
from db.models import UserRow
from db.roles import Role
from db.users import NAME_LIMIT, User, create_user, snapshot_user

_KEPT_AFTER_END = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Login:
    """What a provider says about somebody who logged in."""

    id: str
    issuer: str
    subject: str
    name: str
    expires_at: datetime
    role: Role


def find_person(session: Session, login: Login) -> User | None:
    """Whom this login is; None where it has to be begun first, because it is new or says another role."""
    row = session.get(LoginRow, login.id)
    user = session.get(UserRow, row.user_id) if row else None
    return snapshot_user(user) if user and user.role == login.role else None


def begin_login(session: Session, login: Login, now: datetime) -> User:
    """The person, made where there is none yet, with the role that this login says."""
    key = (login.issuer, login.subject)
    identity = session.get(IdentityRow, key)
    if identity is None:
        made = create_user(session, login.name[:NAME_LIMIT].strip() or "Somebody")
        identity = IdentityRow(issuer=login.issuer, subject=login.subject, user_id=made.id, created_at=_utc(now))
        session.add(identity)
    user = session.get_one(UserRow, identity.user_id)
    user.role = login.role
    if session.get(LoginRow, login.id) is None:
        row = LoginRow(id=login.id, user_id=user.id, began_at=_utc(now), expires_at=_utc(login.expires_at))
        session.add(row)
    session.exec(delete(LoginRow).where(col(LoginRow.expires_at) < _utc(now) - _KEPT_AFTER_END))
    session.flush()
    return snapshot_user(user)


def end_login(session: Session, login_id: str, now: datetime) -> None:
    """Whoever is here by this login is so no longer."""
    row = session.get(LoginRow, login_id)
    if row and row.ended_at is None:
        row.ended_at = _utc(now)
        session.flush()


def is_ended(session: Session, login_id: str) -> bool:
    return session.exec(select(LoginRow.ended_at).where(LoginRow.id == login_id)).first() is not None


def list_people(session: Session) -> tuple[User, ...]:
    """Those who have logged in, by name."""
    known = select(UserRow).join(IdentityRow, col(IdentityRow.user_id) == col(UserRow.id)).distinct()
    return tuple(sorted((snapshot_user(row) for row in session.exec(known)), key=lambda user: user.name.lower()))


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)
