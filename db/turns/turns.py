"""Turns and what each decider made of them: written as they happen, read back for the page, a replay or an export."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Integer, bindparam, sql
from sqlmodel import Session, col, select

from db.failures import ToolFailure
from db.held_rows import find_held
from db.models import DecisionRow, TurnRow
from db.plain_rows import read_rows, table_of
from db.processes import OWN_ID, is_gone
from db.turns.conversations import check_own, get_own_row, touch
from db.turns.latest import read_latest
from db.turns.starting import ConversationMovedError as ConversationMovedError  # re-exports: a turn's whole story here
from db.turns.starting import columns_of
from db.turns.starting import start_turn as start_turn
from db.turns.values import LLMStatus as LLMStatus
from db.turns.values import Settlement as Settlement
from db.turns.values import StoredTurn as StoredTurn
from db.turns.values import snapshot as snapshot
from engine.values import ErrorKind

# Made once, as in `db.users`: every message asks these.
_LATEST = (
    select(TurnRow)
    .where(TurnRow.conversation_id == bindparam("id"))
    .order_by(col(TurnRow.position).desc())
    .limit(bindparam("limit", type_=Integer))
)
# By their ids alone: asked for the person as well, the database walks through all that the person ever said.
_BY_IDS = table_of(TurnRow).select().where(col(TurnRow.id).in_(bindparam("ids", expanding=True)))
_BODIES = sql.select(
    col(DecisionRow.user_id), col(DecisionRow.turn_id), col(DecisionRow.decider), col(DecisionRow.body)
).where(col(DecisionRow.turn_id).in_(bindparam("ids", expanding=True)))

_INSERT_DECISION = sql.insert(DecisionRow)
_ALL_TURNS = 2**31 - 1


def settle_turn(session: Session, user_id: str, turn_id: str, settlement: Settlement) -> None:
    """Keep what was done and said; the question it leaves open becomes the conversation's."""
    row = get_own_turn(session, user_id, turn_id)
    conversation = get_own_row(session, user_id, row.conversation_id)
    for name, value in columns_of(settlement).items():
        setattr(row, name, value)
    conversation.pending = dict(settlement.pending) if settlement.pending else None
    touch(conversation)


def keep_progress(
    session: Session, user_id: str, turn_id: str, *, progress: Mapping[str, Any], results: Sequence[Mapping[str, Any]]
) -> None:
    """What an LLM has done of the turn so far. It goes on."""
    row = get_own_turn(session, user_id, turn_id)
    row.progress, row.results = dict(progress), [dict(result) for result in results]
    touch(get_own_row(session, user_id, row.conversation_id))
    session.flush()


def reopen_turn(session: Session, user_id: str, turn_id: str) -> bool:
    """A turn that was cut off waits again, for the LLM that goes on with it; what was done stays with it. False: it
    waits already."""
    row = get_own_turn(session, user_id, turn_id)
    if row.lane is None or row.progress is None:
        return False
    row.lane = row.route = row.reply = None
    row.llm_status, row.llm_summary, row.worker = "waiting", {}, OWN_ID
    ended = select(DecisionRow).where(DecisionRow.turn_id == turn_id, DecisionRow.decider == "llm")
    for decision in session.exec(ended):  # it is kept again at the end
        session.delete(decision)
    touch(get_own_row(session, user_id, row.conversation_id))
    session.flush()
    return True


def keep_llm_part(
    session: Session,
    user_id: str,
    turn_id: str,
    *,
    status: LLMStatus,
    summary: Mapping[str, Any],
    context: Mapping[str, Any] | None = None,
    agreement: str | None = None,
) -> None:
    """`context`: what both lanes saw; None: it stays as it is."""
    row = get_own_turn(session, user_id, turn_id)
    row.agreement = agreement
    row.llm_status, row.llm_summary = status, dict(summary)
    if context is not None:
        row.context = dict(context)
    touch(get_own_row(session, user_id, row.conversation_id))
    session.flush()


def read_turns(
    session: Session, user_id: str, conversation_id: str, *, limit: int | None = None, whole: bool = True
) -> tuple[StoredTurn, ...]:
    """The latest turns of a conversation, oldest of them first; without their contexts unless `whole`."""
    check_own(session, user_id, conversation_id)
    limit = _ALL_TURNS if limit is None else limit
    if not whole:
        return read_latest(session, conversation_id, limit)
    rows = session.exec(_LATEST, params={"id": conversation_id, "limit": limit}).all()
    return tuple(snapshot(row) for row in reversed(rows))


def find_turns(session: Session, user_id: str, turn_ids: Iterable[str]) -> tuple[StoredTurn, ...]:
    rows = read_rows(session, _BY_IDS, {"ids": list(turn_ids)})
    return tuple(snapshot(row) for row in rows if row.user_id == user_id)


def find_turn(session: Session, user_id: str | None, turn_id: str) -> StoredTurn | None:
    """`user_id` None: whoever's it is, for a maintainer."""
    row = find_held(session, TurnRow, turn_id)
    return snapshot(row) if row is not None and user_id in (None, row.user_id) else None


def get_turn(session: Session, user_id: str, turn_id: str) -> StoredTurn:
    return snapshot(get_own_turn(session, user_id, turn_id))


def waits_for_nobody(session: Session, turn: StoredTurn, now: datetime) -> bool:
    """Whether the process that asked the LLM is gone, so that no answer will come."""
    if turn.llm_status != "waiting":
        return False
    return turn.worker is None or is_gone(session, turn.worker, now, turn.created_at)


def record_decision(
    session: Session, user_id: str, conversation_id: str, turn_id: str, *, body: Mapping[str, Any], drives: bool
) -> str:
    """Keep a whole decision; the columns that lists filter by are taken from it."""
    check_own(session, user_id, conversation_id)
    return add_decision(session, user_id, conversation_id, turn_id, body=body, drives=drives)


def add_decision(
    session: Session, user_id: str, conversation_id: str, turn_id: str, *, body: Mapping[str, Any], drives: bool
) -> str:
    """The same for a turn that was begun in this transaction: whose conversation it is was asked then."""
    decision_id = str(uuid.uuid4())
    values = {
        "id": decision_id,
        "user_id": user_id,
        "conversation_id": conversation_id,
        "turn_id": turn_id,
        "decider": body["decider"],
        "action": body["action"],
        "intent": body["intent"],
        "reason": body["reason"],
        "confidence": body.get("confidence"),
        "elapsed_ms": body.get("elapsed_ms"),
        "drives": drives,
        "body": dict(body),
        "created_at": datetime.now(UTC),
    }
    session.connection().execute(_INSERT_DECISION, values)
    return decision_id


def mark_driver(session: Session, turn_id: str, decider: str) -> None:
    for row in session.exec(select(DecisionRow).where(DecisionRow.turn_id == turn_id)):
        row.drives = row.decider == decider
    session.flush()


def read_decisions(session: Session, user_id: str, turn_ids: Iterable[str]) -> dict[str, dict[str, dict[str, Any]]]:
    """turn -> decider -> the whole decision."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for row in read_rows(session, _BODIES, {"ids": list(turn_ids)}):
        if row.user_id == user_id and row.body:  # none where the turn's words were taken out
            found.setdefault(row.turn_id, {})[row.decider] = row.body
    return found


def get_own_turn(session: Session, user_id: str, turn_id: str) -> TurnRow:
    row = find_held(session, TurnRow, turn_id)
    if row is None or row.user_id != user_id:
        raise ToolFailure(ErrorKind.NOT_FOUND, "There is no such turn.")
    return row
