"""The tables of policies; see `db.models` for the others."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field

from db.models import Base


class PolicyFileRow(Base, table=True):
    """The text of a file, by what it hashes to. Rows are only ever added."""

    __tablename__ = "policy_files"

    sha256: str = Field(primary_key=True)
    content: bytes
    """Compressed."""


class PolicyVersionRow(Base, table=True):
    """A policy of one language as it was saved. Rows are only ever added."""

    __tablename__ = "policy_versions"

    id: str = Field(primary_key=True)
    domain: str
    language: str
    sequence: int
    """Counts up per domain and language."""
    digest: str
    """What turns that were decided under it name, with the language before it."""
    parent: str
    """The digest of what it was made from."""
    author: str
    note: str
    reason: str = ""
    """Why it was saved although it breaks something that must not break."""
    files: dict[str, str] = Field(sa_column=Column(JSON, nullable=False))
    """Name in the language folder -> what the text hashes to. All files, so that a version stays what it is."""
    edits: list[Any] = Field(sa_column=Column(JSON, nullable=False))
    diff: str = ""
    evidence: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    created_at: datetime


class PolicyActivationRow(Base, table=True):
    __tablename__ = "policy_activations"

    id: int | None = Field(default=None, primary_key=True)
    domain: str
    language: str
    scope: str = ""
    """A session; empty: everybody."""
    version_id: str | None = Field(default=None, foreign_key="policy_versions.id")
    """None: the files of the project."""
    author: str
    created_at: datetime
