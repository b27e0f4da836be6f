"""What a message is said amid: the conversation so far, its open question, what was learned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from assistant.turn_values import TurnInProgressError
from db.connection import Session
from db.reach import Reach, read_choices
from db.turns.conversations import check_own
from db.turns.latest import read_latest
from db.turns.values import StoredTurn
from db.users import User
from engine.border.json_form import from_json
from engine.decision import Choice, Context, Language, Message, Pending
from engine.values import ToolCall, make_call

_HISTORY_TURNS = 12


@dataclass(frozen=True, slots=True)
class SoFar:
    """A conversation as it stands: how often it was changed, its open question, its latest turns."""

    revision: int
    pending: Mapping[str, Any] | None
    turns: tuple[StoredTurn, ...]


def read_so_far(session: Session, user: User, conversation_id: str) -> SoFar:
    row = check_own(session, user.id, conversation_id)
    return SoFar(row.revision, row.pending, read_latest(session, conversation_id, _HISTORY_TURNS))


def make_context(
    session: Session,
    user: User,
    so_far: SoFar,
    index: Reach,
    *,
    domain: str,
    now: datetime,
    language: Language | None,
    leave_out: str | None = None,
) -> Context:
    """`leave_out`: a turn that is no history yet, because it is gone on with."""
    pending = so_far.pending
    turns = tuple(turn for turn in so_far.turns if turn.id != leave_out and not turn.stripped)
    if turns and turns[-1].lane is None and turns[-1].llm_status == "waiting":
        raise TurnInProgressError
    history = [
        message
        for turn in turns
        for message in (
            Message("user", turn.text),
            Message("assistant", turn.reply or "", turn.task_ids, _calls_of(turn)),
        )
    ]
    return Context(
        index,
        now,
        tuple(history),
        from_json(Pending, pending) if pending else None,
        user.handle,
        language,
        learned=read_choices(session, user, domain),
        offered=tuple(from_json(Choice, each) for each in turns[-1].offers) if turns else (),
    )


def _calls_of(turn: StoredTurn) -> tuple[ToolCall, ...]:
    """What was carried out in a turn. A call that failed did nothing."""
    return tuple(
        make_call(each["tool_name"], each["parameters"], "conversation") for each in turn.results if not each["error"]
    )
