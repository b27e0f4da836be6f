"""What a turn changed, whether that was taken back, taking it back, and whether it was cut off in the middle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from db.audit import Origin, find_undone
from db.connection import Session
from db.executor import Executor
from db.turns.turns import StoredTurn
from engine.text.folding import fold
from engine.values import ToolResult

PERSON: Final = "person"
"""Who asks for a change that is made by hand, in the audit trail."""


def changes_in(turn: StoredTurn) -> list[str]:
    """Where in the audit trail the turn's changes are."""
    return [str(result["audit_id"]) for result in turn.results if result["audit_id"]]


def is_undone(turn: StoredTurn, undone: set[str]) -> bool:
    changes = changes_in(turn)
    return bool(changes) and all(change in undone for change in changes)


def find_cut_off(session: Session, turns: Sequence[StoredTurn], text: str) -> StoredTurn | None:
    """The last of these turns, if it was cut off with a part of it done, that part stands, and the same is said
    again."""
    turn = turns[-1] if turns else None
    if turn is None or not is_cut_off(turn) or fold(turn.text) != fold(text):
        return None
    return None if is_undone(turn, find_undone(session, turn.user_id, changes_in(turn))) else turn


def is_cut_off(turn: StoredTurn) -> bool:
    return turn.lane is not None and turn.progress is not None


def take_back(executor: Executor, turn: StoredTurn) -> ToolResult | None:
    """Take a turn's changes back. They share a batch where there are several. What failed, or the last of it; None
    where the turn changed nothing."""
    changes, result = changes_in(turn), None
    for audit_id in changes:
        result = executor.undo(audit_id, Origin(PERSON, turn.conversation_id, turn.id))
        if not result.ok or result.payload.get("count", 1) == len(changes):
            break
    return result
