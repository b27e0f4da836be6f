"""Turns and what each decider made of them: written as they happen, read back for the page, a replay or an export."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import Integer, bindparam
from sqlalchemy.orm import defer
from sqlmodel import Session, col, func, select

from db.failures import ToolFailure
from db.held_rows import find_held, hold
from db.models import DecisionRow, TurnRow
from db.processes import OWN_ID, is_gone
from db.turns.conversations import TITLE_LIMIT, get_own_row, touch
from engine.text.folding import fold
from engine.values import ErrorKind

# Made once, as in `db.users`: every message asks these.
_LAST_POSITION = select(func.max(TurnRow.position)).where(TurnRow.conversation_id == bindparam("id"))
_LATEST = (
    select(TurnRow)
    .where(TurnRow.conversation_id == bindparam("id"))
    .order_by(col(TurnRow.position).desc())
    .limit(bindparam("limit", type_=Integer))
)
_LATEST_WITHOUT_CONTEXT = _LATEST.options(defer(TurnRow.context))  # type: ignore[arg-type]
# By their ids alone: asked for the person as well, the database walks through all that the person ever said.
_BY_IDS = select(TurnRow).where(col(TurnRow.id).in_(bindparam("ids", expanding=True)))
_DECISIONS = select(DecisionRow).where(col(DecisionRow.turn_id).in_(bindparam("ids", expanding=True)))

_ALL_TURNS = 2**31 - 1
LLMStatus = Literal["off", "waiting", "answered", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class StoredTurn:
    id: str
    user_id: str
    conversation_id: str
    position: int
    text: str
    driver: str
    lane: str | None
    """Who acted; None while the turn waits for the LLM."""
    route: str | None
    reply: str | None
    task_ids: tuple[str, ...]
    results: tuple[Mapping[str, Any], ...]
    context: Mapping[str, Any]
    llm_status: LLMStatus
    llm_summary: Mapping[str, Any]
    created_at: datetime
    agreement: str | None = None
    domain: str = "tasks"
    offers: tuple[Mapping[str, Any], ...] = ()
    """What it offered to do next."""
    stripped: bool = False
    """Whether its words were taken out, after the time that turns are kept."""
    worker: str | None = None
    """The process that asks the LLM for it."""
    progress: Mapping[str, Any] | None = None
    """How far an LLM has come in it; None: it has done nothing yet, or is at its end."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What came of a turn."""

    lane: str
    route: str
    reply: str
    task_ids: Sequence[str]
    results: Sequence[Mapping[str, Any]]
    pending: Mapping[str, Any] | None
    offers: Sequence[Mapping[str, Any]] = ()
    progress: Mapping[str, Any] | None = None
    """Where the turn was cut off: from where it can be gone on with."""


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
) -> None:
    """`since`: the conversation's revision when the message was read. ConversationMovedError where somebody said
    something in it meanwhile: the message was read without that."""
    conversation = get_own_row(session, user_id, conversation_id)
    if since is not None and conversation.revision != since:
        raise ConversationMovedError
    last = session.exec(_LAST_POSITION, params={"id": conversation_id}).one()
    if not last and not conversation.named:
        conversation.title = " ".join(text.split())[:TITLE_LIMIT] or conversation.title
    touch(conversation)
    row = TurnRow(
        id=turn_id,
        user_id=user_id,
        conversation_id=conversation_id,
        domain=conversation.domain,
        position=(last or 0) + 1,
        text=text,
        text_key=fold(text),
        driver=driver,
        task_ids=[],  # these are named although they are empty: to find out how to make one took as long as to write it
        results=[],
        offers=[],
        context=dict(context),
        llm_status=llm_status,
        llm_summary={},
        worker=OWN_ID if llm_status == "waiting" else None,
        created_at=conversation.updated_at,
    )
    session.add(hold(session, row, turn_id))


def settle_turn(session: Session, user_id: str, turn_id: str, settlement: Settlement) -> None:
    """Keep what was done and said; the question it leaves open becomes the conversation's."""
    row = get_own_turn(session, user_id, turn_id)
    conversation = get_own_row(session, user_id, row.conversation_id)
    row.lane, row.route, row.reply = settlement.lane, settlement.route, settlement.reply
    row.task_ids, row.results = list(settlement.task_ids), [dict(result) for result in settlement.results]
    row.offers = [dict(each) for each in settlement.offers]
    row.progress = dict(settlement.progress) if settlement.progress else None
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
    get_own_row(session, user_id, conversation_id)
    asked = _LATEST if whole else _LATEST_WITHOUT_CONTEXT
    rows = session.exec(asked, params={"id": conversation_id, "limit": _ALL_TURNS if limit is None else limit}).all()
    return tuple(snapshot(row, whole=whole) for row in reversed(rows))


def find_turns(session: Session, user_id: str, turn_ids: Iterable[str]) -> tuple[StoredTurn, ...]:
    # Earlier in this session they may have been read without their contexts.
    rows = session.exec(_BY_IDS, params={"ids": list(turn_ids)}, execution_options={"populate_existing": True})
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
    get_own_row(session, user_id, conversation_id)
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


def mark_driver(session: Session, turn_id: str, decider: str) -> None:
    for row in session.exec(select(DecisionRow).where(DecisionRow.turn_id == turn_id)):
        row.drives = row.decider == decider
    session.flush()


def read_decisions(session: Session, user_id: str, turn_ids: Iterable[str]) -> dict[str, dict[str, dict[str, Any]]]:
    """turn -> decider -> the whole decision."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for row in session.exec(_DECISIONS, params={"ids": list(turn_ids)}):
        if row.user_id == user_id and row.body:  # none where the turn's words were taken out
            found.setdefault(row.turn_id, {})[row.decider] = row.body
    return found


def get_own_turn(session: Session, user_id: str, turn_id: str) -> TurnRow:
    row = find_held(session, TurnRow, turn_id)
    if row is None or row.user_id != user_id:
        raise ToolFailure(ErrorKind.NOT_FOUND, "There is no such turn.")
    return row


def snapshot(row: TurnRow, *, whole: bool = True) -> StoredTurn:
    return StoredTurn(
        id=row.id,
        user_id=row.user_id,
        conversation_id=row.conversation_id,
        position=row.position,
        text=row.text,
        driver=row.driver,
        lane=row.lane,
        route=row.route,
        reply=row.reply,
        task_ids=tuple(row.task_ids),
        results=tuple(row.results),
        context=row.context if whole else {},
        llm_status=row.llm_status,  # type: ignore[arg-type]
        llm_summary=row.llm_summary,
        created_at=row.created_at,
        agreement=row.agreement,
        domain=row.domain,
        offers=tuple(row.offers),
        stripped=row.stripped_at is not None,
        worker=row.worker,
        progress=row.progress,
    )
