"""Conversations: named, resumed, renamed and cleared by the person who leads them, and by nobody else."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, bindparam
from sqlmodel import Session, col, delete, func, select

from db.failures import ToolFailure
from db.held_rows import drop_held, find_held
from db.models import ConversationRow, DecisionRow, TurnRow
from db.plain_rows import read_rows, table_of
from db.text import clean_title
from domains.loading import TASKS
from engine.values import ErrorKind

TITLE_LIMIT = 80
_UNNAMED = "New conversation"
# Made once, as in `db.users`: every message asks these.
_BY_ID = table_of(ConversationRow).select().where(col(ConversationRow.id) == bindparam("id"))
_COUNT = select(func.count()).where(col(TurnRow.conversation_id) == col(ConversationRow.id)).scalar_subquery()
_WITH_COUNT = (
    table_of(ConversationRow)
    .select()
    .add_columns(_COUNT.label("turns"))
    .where(col(ConversationRow.id) == bindparam("id"))
)
_REVISION = select(ConversationRow.revision).where(ConversationRow.id == bindparam("id"))


@dataclass(frozen=True, slots=True)
class Conversation:
    id: str
    title: str
    turns: int
    pending: Mapping[str, Any] | None
    revision: int
    updated_at: datetime
    domain: str = TASKS


def start_conversation(session: Session, user_id: str, title: str = "", *, domain: str = TASKS) -> str:
    moment = datetime.now(UTC)
    row = ConversationRow(
        id=str(uuid.uuid4()),
        user_id=user_id,
        domain=domain,
        title=title or _UNNAMED,
        named=bool(title),
        created_at=moment,
        updated_at=moment,
    )
    session.add(row)
    session.flush()
    return row.id


def list_conversations(
    session: Session, user_id: str, *, domain: str = TASKS, limit: int = 100
) -> tuple[Conversation, ...]:
    """Those of a domain with at least one turn, the one used last first."""
    rows = session.exec(
        select(ConversationRow, func.count(col(TurnRow.id)))
        .join(TurnRow, col(TurnRow.conversation_id) == col(ConversationRow.id))
        .where(ConversationRow.user_id == user_id, ConversationRow.domain == domain)
        .group_by(col(ConversationRow.id))
        .order_by(col(ConversationRow.updated_at).desc())
        .limit(limit)
    )
    return tuple(_snapshot(row, turns) for row, turns in rows)


def find_conversation(session: Session, user_id: str, conversation_id: str) -> Conversation | None:
    row = read_rows(session, _WITH_COUNT, {"id": conversation_id}).first()
    return _snapshot(row, row.turns) if row is not None and row.user_id == user_id else None


def read_conversation_revision(session: Session, conversation_id: str) -> int | None:
    revision: int | None = read_rows(session, _REVISION, {"id": conversation_id}).scalar()
    return revision


def rename_conversation(session: Session, user_id: str, conversation_id: str, title: str) -> None:
    row = get_own_row(session, user_id, conversation_id)
    cleaned = clean_title(title)
    if len(cleaned) > TITLE_LIMIT:
        raise ToolFailure(ErrorKind.TITLE_TOO_LONG, f"A name must be at most {TITLE_LIMIT} characters.")
    row.title, row.named = cleaned, True
    touch(row)
    session.flush()


def clear_conversation(session: Session, user_id: str, conversation_id: str) -> None:
    """Its turns and decisions go; the tasks and the audit trail stay as they are."""
    row = get_own_row(session, user_id, conversation_id)
    session.exec(delete(TurnRow).where(col(TurnRow.conversation_id) == conversation_id))
    session.exec(delete(DecisionRow).where(col(DecisionRow.conversation_id) == conversation_id))
    row.pending = None
    touch(row)
    session.flush()
    drop_held(session)


def check_own(session: Session, user_id: str, conversation_id: str) -> Row[Any]:
    """The conversation as it stands, to be looked at."""
    row = read_rows(session, _BY_ID, {"id": conversation_id}).first()
    if row is None or row.user_id != user_id:
        raise _no_conversation()
    return row


def _no_conversation() -> ToolFailure:
    return ToolFailure(ErrorKind.NOT_FOUND, "There is no such conversation.")


def get_own_row(session: Session, user_id: str, conversation_id: str) -> ConversationRow:
    row = find_held(session, ConversationRow, conversation_id)
    if row is None or row.user_id != user_id:
        raise _no_conversation()
    return row


def touch(row: ConversationRow) -> None:
    row.revision += 1
    row.updated_at = datetime.now(UTC)


def _snapshot(row: ConversationRow | Row[Any], turns: int) -> Conversation:
    return Conversation(row.id, row.title, turns, row.pending, row.revision, row.updated_at, row.domain)
