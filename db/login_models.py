"""The tables of logging in; see `db.models` for the others."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field

from db.models import Base


class IdentityRow(Base, table=True):
    """Whom a provider's subject is here: the only way from a login to a person."""

    __tablename__ = "identities"

    issuer: str = Field(primary_key=True)
    subject: str = Field(primary_key=True)
    user_id: str = Field(foreign_key="users.id")
    created_at: datetime


class LoginRow(Base, table=True):
    """One login of one browser: all its tabs end with it, in whichever process they are."""

    __tablename__ = "logins"

    id: str = Field(primary_key=True)
    """A hash of what tells it from every other login; it opens nothing."""
    user_id: str = Field(foreign_key="users.id")
    began_at: datetime
    expires_at: datetime
    ended_at: datetime | None = None
    """When somebody logged out."""
