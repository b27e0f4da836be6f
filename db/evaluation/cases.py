"""Saved cases: messages that somebody labelled, on Inspect or by a verdict, each with its context. Everybody has
their own."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlmodel import Session, col, func, select

from db.models import CaseRow
from domains.loading import TASKS


@dataclass(frozen=True, slots=True)
class SavedCase:
    id: str
    digest: str
    domain: str
    text: str
    context: Mapping[str, Any]
    expected: Mapping[str, Any]
    created_at: datetime
    from_review: bool = False
    """There because a verdict on a turn says so."""


def digest_of(text: str, context: Mapping[str, Any], expected: Mapping[str, Any]) -> str:
    """Equal for equal cases, whatever the order of their keys."""
    whole = json.dumps([text, context, expected], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(whole.encode()).hexdigest()


def save_case(
    session: Session,
    user_id: str,
    text: str,
    context: Mapping[str, Any],
    expected: Mapping[str, Any],
    *,
    from_review: bool = False,
) -> tuple[SavedCase, bool]:
    """The case, and whether it is new: the same text, context and expectation are kept once. The context of a message
    that is not about tasks names its `domain`."""
    digest = digest_of(text, context, expected)
    row = session.exec(select(CaseRow).where(CaseRow.user_id == user_id, CaseRow.digest == digest)).first()
    if row is not None:
        if row.from_review and not from_review:
            row.from_review = False  # saved by hand as well: no verdict that is taken back takes it along
            session.flush()
        return _snapshot(row), False
    row = CaseRow(
        id=str(uuid.uuid4()),
        user_id=user_id,
        digest=digest,
        domain=str(context.get("domain", TASKS)),
        text=text,
        context=dict(context),
        expected=dict(expected),
        from_review=from_review,
        created_at=datetime.now(UTC),
    )
    session.add(row)
    session.flush()
    return _snapshot(row), True


def list_cases(
    session: Session, user_id: str, *, domain: str | None = None, limit: int | None = None
) -> tuple[SavedCase, ...]:
    """A person's cases, of one domain or of all, the newest first."""
    own = select(CaseRow).where(*_whose(user_id, domain))
    ordered = own.order_by(col(CaseRow.created_at).desc(), col(CaseRow.id)).limit(limit)
    return tuple(_snapshot(row) for row in session.exec(ordered))


def count_cases(session: Session, user_id: str, *, domain: str | None = None) -> int:
    return session.exec(select(func.count()).select_from(CaseRow).where(*_whose(user_id, domain))).one()


def _whose(user_id: str, domain: str | None) -> tuple[Any, ...]:
    return (CaseRow.user_id == user_id, *((CaseRow.domain == domain,) if domain else ()))


def remove_case(session: Session, user_id: str, case_id: str) -> bool:
    """Whether there was one: nobody removes another's case."""
    row = session.get(CaseRow, case_id)
    if row is None or row.user_id != user_id:
        return False
    session.delete(row)
    session.flush()
    return True


def _snapshot(row: CaseRow) -> SavedCase:
    return SavedCase(
        row.id, row.digest, row.domain, row.text, row.context, row.expected, row.created_at, row.from_review
    )
