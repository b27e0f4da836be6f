"""Conversations, their messages, and what each decider made of them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlmodel import Session, col, func, select

from db.failures import ToolFailure
from db.models import ConversationRow, DecisionRow, MessageRow
from engine.values import ErrorKind


@dataclass(frozen=True, slots=True)
class StoredMessage:
    turn_id: str
    role: str
    content: str
    task_ids: tuple[str, ...]


def start_conversation(session: Session, user_id: str, title: str) -> str:
    moment = datetime.now(UTC)
    row = ConversationRow(id=str(uuid.uuid4()), user_id=user_id, title=title, created_at=moment, updated_at=moment)
    session.add(row)
    session.flush()
    return row.id


def add_message(
    session: Session,
    user_id: str,
    conversation_id: str,
    *,
    turn_id: str,
    role: str,
    content: str,
    task_ids: Sequence[str] = (),
) -> None:
    conversation = _own_conversation(session, user_id, conversation_id)
    last = session.exec(
        select(func.max(MessageRow.position)).where(MessageRow.conversation_id == conversation_id)
    ).one()
    conversation.updated_at = datetime.now(UTC)
    session.add(
        MessageRow(
            id=str(uuid.uuid4()),
            conversation_id=conversation_id,
            turn_id=turn_id,
            position=(last or 0) + 1,
            role=role,
            content=content,
            task_ids=list(task_ids),
            created_at=conversation.updated_at,
        )
    )
    session.flush()


def read_messages(session: Session, user_id: str, conversation_id: str, *, limit: int) -> tuple[StoredMessage, ...]:
    """The latest messages of a conversation, oldest of them first."""
    _own_conversation(session, user_id, conversation_id)
    latest = select(MessageRow).where(MessageRow.conversation_id == conversation_id)
    rows = session.exec(latest.order_by(col(MessageRow.position).desc()).limit(limit)).all()
    return tuple(StoredMessage(row.turn_id, row.role, row.content, tuple(row.task_ids)) for row in reversed(rows))


def record_decision(
    session: Session,
    user_id: str,
    conversation_id: str,
    turn_id: str,
    *,
    body: Mapping[str, Any],
    drives: bool,
) -> str:
    """Keep a whole decision; the columns that lists filter by are taken from it."""
    _own_conversation(session, user_id, conversation_id)
    row = DecisionRow(
        id=str(uuid.uuid4()),
        user_id=user_id,
        conversation_id=conversation_id,
        turn_id=turn_id,
        decider=body["decider"],
        action=body["action"],
        intent=body["intent"],
        reason=body["reason"],
        confidence=body.get("confidence"),
        elapsed_ms=body.get("elapsed_ms"),
        drives=drives,
        body=dict(body),
        created_at=datetime.now(UTC),
    )
    session.add(row)
    session.flush()
    return row.id


def _own_conversation(session: Session, user_id: str, conversation_id: str) -> ConversationRow:
    row = session.get(ConversationRow, conversation_id)
    if row is None or row.user_id != user_id:
        raise ToolFailure(ErrorKind.NOT_FOUND, "There is no such conversation.")
    return row
