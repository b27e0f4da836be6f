"""A turn's row as it is first written: with the message that waits for the LLM, or whole where it ended at once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, bindparam, func, insert, select, update
from sqlmodel import Session, col

from db.models import ConversationRow, TurnRow
from db.plain_rows import read_rows, table_of
from db.processes import OWN_ID
from db.turns.conversations import TITLE_LIMIT, check_own
from db.turns.values import LLMStatus, Settlement
from engine.text.folding import fold

_LAST_POSITION = select(func.max(TurnRow.position)).where(col(TurnRow.conversation_id) == bindparam("id"))
_INSERT = insert(TurnRow)
_CONVERSATION = update(table_of(ConversationRow)).where(col(ConversationRow.id) == bindparam("conversation"))


class ConversationMovedError(Exception):
    """Another tab, maybe of another process, has gone on with the conversation."""


def start_turn(
    session: Session,
    user_id: str,
    conversation_id: str,
    *,
    turn_id: str,
    text: str,
    driver: str,
    context: Mapping[str, Any],
    llm_status: LLMStatus,
    since: int | None = None,
    settlement: Settlement | None = None,
) -> None:
    """`since`: the conversation's revision when the message was read. ConversationMovedError where somebody said
    something in it meanwhile: the message was read without that. `settlement`: what came of it, where that is known."""
    conversation = check_own(session, user_id, conversation_id)
    if since is not None and conversation.revision != since:
        raise ConversationMovedError
    last = read_rows(session, _LAST_POSITION, {"id": conversation_id}).scalar() or 0
    moment = datetime.now(UTC)
    values = dict(
        id=turn_id,
        user_id=user_id,
        conversation_id=conversation_id,
        domain=conversation.domain,
        position=last + 1,
        text=text,
        text_key=fold(text),
        driver=driver,
        context=dict(context),
        llm_status=llm_status,
        llm_summary={},
        worker=OWN_ID if llm_status == "waiting" else None,
        created_at=moment,
        **(columns_of(settlement) if settlement else _NOTHING_YET),
    )
    connection = session.connection()
    connection.execute(_INSERT, values)
    connection.execute(_CONVERSATION, _move_on(conversation, text, moment, settlement, first=not last))
    session.expire_all()  # an object of the conversation that the session has made before is older


_NOTHING_YET: Mapping[str, Any] = {
    "lane": None, "route": None, "reply": None, "task_ids": [], "results": [], "offers": [], "progress": None,
}  # fmt: skip


def columns_of(settlement: Settlement) -> dict[str, Any]:
    """What a turn's row says of what came of it."""
    return {
        "lane": settlement.lane,
        "route": settlement.route,
        "reply": settlement.reply,
        "task_ids": list(settlement.task_ids),
        "results": [dict(result) for result in settlement.results],
        "offers": [dict(each) for each in settlement.offers],
        "progress": dict(settlement.progress) if settlement.progress else None,
    }


def _move_on(
    conversation: Row[Any], text: str, moment: datetime, settlement: Settlement | None, *, first: bool
) -> dict[str, Any]:
    """The conversation's columns; always the same ones, so that the statement is made once."""
    named = conversation.title if conversation.named or not first else " ".join(text.split())[:TITLE_LIMIT]
    pending = settlement.pending if settlement else conversation.pending
    return {
        "conversation": conversation.id,
        "title": named or conversation.title,
        "revision": conversation.revision + 1,
        "updated_at": moment,
        "pending": dict(pending) if pending else None,
    }
