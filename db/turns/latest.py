"""The latest turns of a conversation, most of which were read with the message before.

A turn that came to its end never changes any more, but that its words are taken out after the time that turns are kept.
So those are kept here as they were read, and a message reads the one turn that is new.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlalchemy import Integer, bindparam, select
from sqlmodel import Session, col

from db.models import TurnRow
from db.plain_rows import read_rows, table_of
from db.turns.values import StoredTurn, snapshot

_MOST_KEPT = 4000
_IDS = (
    select(col(TurnRow.id), col(TurnRow.stripped_at))
    .where(col(TurnRow.conversation_id) == bindparam("id"))
    .order_by(col(TurnRow.position).desc())
    .limit(bindparam("limit", type_=Integer))
)
_AMONG = col(TurnRow.id).in_(bindparam("ids", expanding=True))
_WHOLE = table_of(TurnRow).select().where(_AMONG)
_WITHOUT_CONTEXT = select(*(each for each in table_of(TurnRow).columns if each.name != "context")).where(_AMONG)
_kept: OrderedDict[tuple[str, str], StoredTurn] = OrderedDict()
"""By conversation and turn."""
_lock = threading.Lock()


def read_latest(
    session: Session, conversation_id: str, limit: int, *, new_whole: bool = False
) -> tuple[StoredTurn, ...]:
    """Oldest of them first, without their contexts. Whose conversation it is was asked before. `new_whole`: those that
    are not kept yet come with their contexts, for who draws them."""
    rows = read_rows(session, _IDS, {"id": conversation_id, "limit": limit}).all()
    with _lock:
        kept = {row.id: _kept.get((conversation_id, row.id)) for row in rows}
    stripped = {row.id for row in rows if row.stripped_at is not None}
    found = {turn_id: turn for turn_id, turn in kept.items() if turn and turn.stripped == (turn_id in stripped)}
    found |= _read(session, [row.id for row in rows if row.id not in found], whole=new_whole)
    return tuple(found[row.id] for row in reversed(rows))


def _read(session: Session, turn_ids: Sequence[str], *, whole: bool) -> dict[str, StoredTurn]:
    if not turn_ids:
        return {}
    rows = read_rows(session, _WHOLE if whole else _WITHOUT_CONTEXT, {"ids": list(turn_ids)})
    turns = {row.id: snapshot(row, whole=whole) for row in rows}
    _keep_ended(turns.values())
    return turns


def _keep_ended(turns: Iterable[StoredTurn]) -> None:
    """Those that came to their end; what could still be gone on with is read each time."""
    ended = {(each.conversation_id, each.id): replace(each, context={}) for each in turns if _is_final(each)}
    with _lock:
        _kept.update(ended)
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)


def _is_final(turn: StoredTurn) -> bool:
    return turn.lane is not None and turn.llm_status != "waiting" and turn.progress is None
